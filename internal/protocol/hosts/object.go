package hosts

import (
	"bytes"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// An object is a JSON object whose fields can be changed without changing their order.
type object []schema.Member

func readObject(raw json.RawMessage) (object, bool) {
	members, err := schema.Members(raw)
	return members, err == nil
}

func (o object) get(name string) (json.RawMessage, bool) {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].Name == name {
			return o[i].Value, true
		}
	}
	return nil, false
}

func (o object) has(name string) bool {
	_, ok := o.get(name)
	return ok
}

// set replaces a field in place, or adds it at the end.
func (o object) set(name string, value json.RawMessage) object {
	for i := range o {
		if o[i].Name == name {
			o[i].Value = value
			return o
		}
	}
	return append(o, schema.Member{Name: name, Key: rawjson.Quote(name), Value: value})
}

func (o object) without(names ...string) object {
	var kept object
	for _, m := range o {
		if !contains(names, m.Name) {
			kept = append(kept, m)
		}
	}
	return kept
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

func (o object) raw() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(m.Key)
		b.WriteByte(':')
		b.Write(m.Value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func array(elements []json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, e := range elements {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(e)
	}
	b.WriteByte(']')
	return b.Bytes()
}
