// Package picture reads images within limits, and measures how similar two of them are.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
)

// The limits of an image.
const (
	MaxBytes  = 32 << 20
	MaxPixels = 16 << 20
)

// A Picture is an image with the format of its data: png, jpeg or gif. Of an animation it is the first frame.
type Picture struct {
	Format string
	pixels *image.RGBA
}

// Width is the width in pixels.
func (p *Picture) Width() int { return p.pixels.Rect.Dx() }

// Height is the height in pixels.
func (p *Picture) Height() int { return p.pixels.Rect.Dy() }

// formats are the formats of Decode, by how their data begins.
var formats = []struct {
	name, start string
	config      func(io.Reader) (image.Config, error)
	decode      func(io.Reader) (image.Image, error)
}{
	{"png", "\x89PNG", png.DecodeConfig, png.Decode},
	{"jpeg", "\xff\xd8", jpeg.DecodeConfig, jpeg.Decode},
	{"gif", "GIF8", gif.DecodeConfig, gif.Decode},
}

// Decode reads an image.
func Decode(data []byte) (*Picture, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%d bytes, expected at most %d MiB", len(data), MaxBytes>>20)
	}
	for _, f := range formats {
		if !bytes.HasPrefix(data, []byte(f.start)) {
			continue
		}
		config, err := f.config(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if config.Width <= 0 || config.Height <= 0 || config.Width > MaxPixels/config.Height {
			return nil, fmt.Errorf("%d×%d pixels, expected at most %d", config.Width, config.Height, MaxPixels)
		}
		decoded, err := f.decode(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		bounds := decoded.Bounds()
		pixels := image.NewRGBA(image.Rect(0, 0, bounds.Dx(), bounds.Dy()))
		draw.Draw(pixels, pixels.Rect, decoded, bounds.Min, draw.Src)
		return &Picture{Format: f.name, pixels: pixels}, nil
	}
	return nil, errors.New("unknown format, expected PNG, JPEG or GIF")
}
