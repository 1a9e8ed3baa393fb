package demo

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
)

// square is a small PNG of one color.
func square(c color.Color) []byte {
	const side = 32
	m := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{c})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err) // writing to a buffer cannot fail
	}
	return b.Bytes()
}

// tone returns a sine wave as a WAV file: mono, 8 bits, 8000 samples per second.
func tone(hertz float64, milliseconds int) []byte {
	const rate = 8000
	samples := make([]byte, rate*milliseconds/1000)
	for i := range samples {
		samples[i] = byte(128 + 90*math.Sin(2*math.Pi*hertz*float64(i)/rate))
	}
	pad := len(samples) % 2 // chunks have an even length
	var b bytes.Buffer
	b.WriteString("RIFF")
	put := func(v any) { binary.Write(&b, binary.LittleEndian, v) }
	put(uint32(36 + len(samples) + pad))
	b.WriteString("WAVEfmt ")
	put(uint32(16))
	put([]uint16{1, 1}) // PCM, one channel
	put([]uint32{rate, rate})
	put([]uint16{1, 8}) // bytes per frame, bits per sample
	b.WriteString("data")
	put(uint32(len(samples)))
	b.Write(samples)
	b.Write(make([]byte, pad))
	return b.Bytes()
}
