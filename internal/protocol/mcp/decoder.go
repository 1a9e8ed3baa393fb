package mcp

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A decoder reads one JSON text after the other.
type decoder struct {
	jsontext.Decoder
	text bytes.Buffer
}

// decoders are those at rest. A message is read several times, and each reader would have to make its tables anew.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// decode returns a decoder of text, which is given back with release. What it returns are parts of text.
func decode(text []byte, opts ...jsontext.Options) *decoder {
	d := decoders.Get().(*decoder)
	d.text = *bytes.NewBuffer(text)
	d.Reset(&d.text, opts...)
	return d
}

// release gives the decoder back; it keeps nothing of the text.
func (d *decoder) release() {
	d.text = bytes.Buffer{}
	d.Reset(&d.text)
	decoders.Put(d)
}
