package mcp

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A decoder reads one JSON text after another.
type decoder struct {
	jsontext.Decoder
	text bytes.Buffer
}

// decoders is a pool. A message is parsed several times, and each parser would have to allocate its tables
// again.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// decode returns a decoder of text, which must be released. The values that it returns are slices of text.
func decode(text []byte, opts ...jsontext.Options) *decoder {
	d := decoders.Get().(*decoder)
	d.text = *bytes.NewBuffer(text)
	d.Reset(&d.text, opts...)
	return d
}

// release returns the decoder to the pool; it keeps nothing of the text.
func (d *decoder) release() {
	d.text = bytes.Buffer{}
	d.Reset(&d.text)
	decoders.Put(d)
}
