package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// decoder reads JSON as servers send it: duplicate names and invalid characters are accepted.
func decoder(raw []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
}

// members calls f with the members of an object. The values are slices of the object's bytes. It parses them once,
// where json.Unmarshal would three times: opening a large catalog is mostly this.
func members(raw []byte, f func(name string, value json.RawMessage) error) error {
	d := decoder(raw)
	if kind := d.PeekKind(); kind != '{' {
		return fmt.Errorf("not a JSON object")
	}
	err := eachMember(d, func(name string) error {
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		end := d.InputOffset()
		return f(name, raw[end-int64(len(value)):end:end])
	})
	if err != nil {
		return err
	}
	if rest := bytes.TrimSpace(raw[d.InputOffset():]); len(rest) > 0 {
		return fmt.Errorf("unexpected data after the JSON object")
	}
	return nil
}

// eachMember reads an object; f reads the value of each member. Anything else is skipped.
func eachMember(d *jsontext.Decoder, f func(name string) error) error {
	if d.PeekKind() != '{' {
		return d.SkipValue()
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		if err := f(token.String()); err != nil {
			return err
		}
	}
	_, err := d.ReadToken() // the end
	return err
}

// text returns the value of a JSON string, and "" for any other value.
func text(raw json.RawMessage) string {
	token, err := decoder(raw).ReadToken()
	if err != nil || token.Kind() != '"' {
		return ""
	}
	return token.String()
}

// present returns a value, or nil if it is null.
func present(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}
