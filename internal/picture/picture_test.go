package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

// scene is an image with some structure.
func scene(change func(*image.RGBA)) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for y := range 48 {
		for x := range 64 {
			m.SetRGBA(x, y, color.RGBA{R: uint8(x * 4), G: uint8(y * 5), B: uint8((x ^ y) * 3), A: 255})
		}
	}
	if change != nil {
		change(m)
	}
	return m
}

func decoded(t *testing.T, m image.Image, quality int) *Picture {
	t.Helper()
	var out bytes.Buffer
	var err error
	if quality > 0 {
		err = jpeg.Encode(&out, m, &jpeg.Options{Quality: quality})
	} else {
		err = png.Encode(&out, m)
	}
	if err != nil {
		t.Fatal(err)
	}
	p, err := Decode(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCompare(t *testing.T) {
	base := decoded(t, scene(nil), 0)
	square := image.Rect(10, 20, 26, 36)
	for _, row := range []struct {
		name      string
		other     *Picture
		low, high float64
		area      image.Rectangle
	}{
		{"equal", decoded(t, scene(nil), 0), 1, 1, image.Rectangle{}},
		{"one pixel, barely", decoded(t, scene(func(m *image.RGBA) { m.Pix[0]++ }), 0), 0.999, 0.999999, image.Rect(0, 0, 1, 1)},
		{"slightly compressed", decoded(t, scene(nil), 100), 0.95, 0.9999, base.pixels.Rect},
		{"a square of another color", decoded(t, scene(func(m *image.RGBA) {
			for y := square.Min.Y; y < square.Max.Y; y++ {
				for x := square.Min.X; x < square.Max.X; x++ {
					m.SetRGBA(x, y, color.RGBA{255, 255, 255, 255})
				}
			}
		}), 0), 0.7, 0.95, square},
		{"another image", decoded(t, image.NewRGBA(image.Rect(0, 0, 64, 48)), 0), -1, 0.1, base.pixels.Rect},
	} {
		got := Compare(base, row.other)
		if got.Similarity < row.low || got.Similarity > row.high {
			t.Errorf("%s: got similarity %v, want %v to %v", row.name, got.Similarity, row.low, row.high)
		}
		if !got.Area.In(row.area) || row.area.Dx()-got.Area.Dx() > 2 || (got.Pixels == 0) != row.area.Empty() {
			t.Errorf("%s: got area %v with %d pixels, want %v", row.name, got.Area, got.Pixels, row.area)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	var small bytes.Buffer
	if err := png.Encode(&small, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		data []byte
		want string
	}{
		{[]byte("<svg/>"), "expected PNG, JPEG or GIF"},
		{nil, "expected PNG, JPEG or GIF"},
		{small.Bytes()[:40], "EOF"},
		{make([]byte, MaxBytes+1), "expected at most 32 MiB"},
	} {
		if _, err := Decode(row.data); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%.20q: got %v, want %q", row.data, err, row.want)
		}
	}
	if _, err := Decode(wide()); err == nil || !strings.Contains(err.Error(), "expected at most 16777216") {
		t.Errorf("a large image: got %v, want one about its size", err)
	}
}

// wide is the header of a GIF with 65535×65535 pixels.
func wide() []byte {
	return []byte("GIF89a\xff\xff\xff\xff\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x00;")
}
