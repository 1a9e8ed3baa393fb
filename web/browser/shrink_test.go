package browser

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"slices"
)

// shrink writes a picture of a page with 256 colours, which is plenty for one and a quarter of the bytes.
func shrink(picture []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	bounds := full.Bounds()
	seen := map[color.RGBA]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			seen[color.RGBAModel.Convert(full.At(x, y)).(color.RGBA)]++
		}
	}
	palette := colours(seen, 256)
	nearest := map[color.RGBA]uint8{}
	small := image.NewPaletted(bounds, palette)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.RGBAModel.Convert(full.At(x, y)).(color.RGBA)
			at, known := nearest[c]
			if !known {
				at = uint8(palette.Index(c))
				nearest[c] = at
			}
			small.SetColorIndex(x, y, at)
		}
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err = encoder.Encode(&out, small)
	return out.Bytes(), err
}

// colours chooses n of those seen: half the most frequent, which are surfaces and text, the rest by halving the box of
// colours that spreads most.
func colours(seen map[color.RGBA]int, n int) color.Palette {
	var all []color.RGBA
	for c := range seen {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		if seen[a] != seen[b] {
			return seen[b] - seen[a]
		}
		return int(a.R)<<16 + int(a.G)<<8 + int(a.B) - int(b.R)<<16 - int(b.G)<<8 - int(b.B)
	})
	var palette color.Palette
	exact := min(len(all), n/2)
	for _, c := range all[:exact] {
		palette = append(palette, c)
	}
	boxes := [][]color.RGBA{all[exact:]}
	for len(boxes) < n-exact {
		widest, channel, spread := 0, 0, 0
		for i, box := range boxes {
			if c, s := widestChannel(box); s > spread {
				widest, channel, spread = i, c, s
			}
		}
		if spread == 0 {
			break
		}
		box := boxes[widest]
		slices.SortFunc(box, func(a, b color.RGBA) int { return level(a, channel) - level(b, channel) })
		boxes[widest] = box[:len(box)/2]
		boxes = append(boxes, box[len(box)/2:])
	}
	for _, box := range boxes {
		if len(box) > 0 {
			palette = append(palette, box[len(box)/2])
		}
	}
	return palette
}

func widestChannel(box []color.RGBA) (channel, spread int) {
	for c := range 3 {
		low, high := 255, 0
		for _, one := range box {
			low, high = min(low, level(one, c)), max(high, level(one, c))
		}
		if high-low > spread {
			channel, spread = c, high-low
		}
	}
	return channel, spread
}

func level(c color.RGBA, channel int) int {
	return int([]uint8{c.R, c.G, c.B}[channel])
}
