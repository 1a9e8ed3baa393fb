package picture

import "image"

// A Difference is how two images of the same size differ.
type Difference struct {
	Similarity float64         // 1 if all pixels are equal, else below 1: the mean structural similarity (SSIM)
	Pixels     int             // how many pixels differ
	Area       image.Rectangle // the smallest area with all pixels that differ
}

// window is the width of the areas that are compared with each other.
const window = 8

// Compare compares two images of the same size.
func Compare(a, b *Picture) Difference {
	d := Difference{Similarity: 1}
	for y := range a.Height() {
		for x := range a.Width() {
			if a.pixels.RGBAAt(x, y) != b.pixels.RGBAAt(x, y) {
				d.Pixels++
				d.Area = d.Area.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if d.Pixels > 0 {
		d.Similarity = min(similarity(a.pixels, b.pixels), 0.999999) // rounding must not hide a difference
	}
	return d
}

// similarity is the mean over all windows, each with the channel that differs most: a change of color alone counts.
func similarity(a, b *image.RGBA) float64 {
	sum, n := 0.0, 0
	for y := 0; y < a.Rect.Dy(); y += window {
		for x := 0; x < a.Rect.Dx(); x += window {
			area := image.Rect(x, y, x+window, y+window).Intersect(a.Rect)
			least := 1.0
			for channel := range 4 {
				least = min(least, ssim(a, b, area, channel))
			}
			sum += least
			n++
		}
	}
	return sum / float64(n)
}

// ssim is the structural similarity of one channel in an area, by Wang, Bovik, Sheikh and Simoncelli (2004).
func ssim(a, b *image.RGBA, area image.Rectangle, channel int) float64 {
	const c1, c2 = 0.01 * 255 * 0.01 * 255, 0.03 * 255 * 0.03 * 255
	var sumA, sumB, squaresA, squaresB, products float64
	for y := area.Min.Y; y < area.Max.Y; y++ {
		at := a.PixOffset(area.Min.X, y) + channel
		for range area.Dx() {
			p, q := float64(a.Pix[at]), float64(b.Pix[at])
			sumA, sumB = sumA+p, sumB+q
			squaresA, squaresB, products = squaresA+p*p, squaresB+q*q, products+p*q
			at += 4
		}
	}
	n := float64(area.Dx() * area.Dy())
	meanA, meanB := sumA/n, sumB/n
	varianceA, varianceB, covariance := squaresA/n-meanA*meanA, squaresB/n-meanB*meanB, products/n-meanA*meanB
	return (2*meanA*meanB + c1) * (2*covariance + c2) /
		((meanA*meanA + meanB*meanB + c1) * (varianceA + varianceB + c2))
}
