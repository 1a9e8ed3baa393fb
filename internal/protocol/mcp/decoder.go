package mcp

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// decoders are readers of JSON that are at rest. A message is read by several, one after the other, and each would have to
// make its tables anew.
var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

// decode returns a decoder of text, whose values are parts of text, and a function that gives it back: nothing that it
// returned may be used as a jsontext.Value afterwards.
func decode(text []byte, opts ...jsontext.Options) (*jsontext.Decoder, func()) {
	dec := decoders.Get().(*jsontext.Decoder)
	dec.Reset(bytes.NewBuffer(text), opts...)
	return dec, func() {
		dec.Reset(new(bytes.Buffer)) // it must not keep the text alive
		decoders.Put(dec)
	}
}
