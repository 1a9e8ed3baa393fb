package match

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/picture"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// imageOptions are the conditions on an image.
type imageOptions struct {
	Type          string
	Width, Height *extent
	Snapshot      json.RawMessage // true, or a file
	Similarity    *float64

	file string // of the snapshot, if it is named
}

// An extent is a number of pixels: one number, or min and max.
type extent struct{ Min, Max *int }

// UnmarshalJSON reads both forms.
func (e *extent) UnmarshalJSON(raw []byte) error {
	var n int
	if json.Unmarshal(raw, &n) == nil {
		e.Min, e.Max = &n, &n
		return nil
	}
	type plain extent
	if err := strictly(raw, (*plain)(e)); err != nil || e.Min == nil && e.Max == nil {
		return errors.New("expected a number of pixels, or min and max")
	}
	return nil
}

const extentSchema = `{"anyOf":[{"type":"integer","minimum":1},{"type":"object","properties":{` +
	`"min":{"type":"integer"},"max":{"type":"integer"}},"additionalProperties":false}]}`

var imageMatcher = &Matcher{
	Name: "image", Schema: json.RawMessage(`{"anyOf":[{"const":true},{"type":"object","additionalProperties":false,` +
		`"properties":{"type":{"type":"string","examples":["image/png"]},"width":` + extentSchema + `,"height":` +
		extentSchema + `,"snapshot":{"anyOf":[{"const":true},{"type":"string","examples":["expected/chart.png"]}]},` +
		`"similarity":{"type":"number","minimum":0,"maximum":1}}}]}`),
	Doc: "A PNG, JPEG or GIF image whose data has the declared type: true, or its type, width and height, and a " +
		"snapshot: an image file that it must resemble, with a similarity from 0 to 1 (default 0.99; 1 means all pixels).",
	New: func(arg json.RawMessage) (Accept, error) {
		o, err := readImageOptions(arg)
		if err != nil {
			return nil, err
		}
		return o.accept, nil
	},
}

func readImageOptions(arg json.RawMessage) (*imageOptions, error) {
	o := &imageOptions{}
	if string(arg) == "true" {
		return o, nil
	}
	if err := strictly(arg, o); err != nil || schema.Kind(arg) != '{' {
		return nil, errors.New("expected true, or type, width, height (pixels, or min and max), snapshot and similarity")
	}
	if s := o.Similarity; s != nil && (*s < 0 || *s > 1) {
		return nil, fmt.Errorf("similarity is %v, expected a number from 0 to 1", *s)
	}
	switch {
	case o.Snapshot == nil && o.Similarity != nil:
		return nil, errors.New("similarity requires snapshot")
	case o.Snapshot != nil && string(o.Snapshot) != "true":
		if o.file = Flat(o.Snapshot); schema.Kind(o.Snapshot) != '"' || o.file == "" {
			return nil, errors.New("snapshot: expected true, or the name of an image file")
		}
	}
	return o, nil
}

// strictly reads JSON without unknown members.
func strictly(raw []byte, out any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(out)
}

func (o *imageOptions) accept(m *Context, got json.RawMessage) error {
	block, ok := imageIn(got)
	if !ok {
		return mismatch(got, "an image")
	}
	data, err := base64.StdEncoding.DecodeString(imageData(block))
	if err != nil {
		return &Mismatch{Got: "data that is not base64: " + err.Error(), Want: "an image"}
	}
	p, err := picture.Decode(data)
	if err != nil {
		return &Mismatch{Got: fmt.Sprintf("image of %d bytes that cannot be read: %v", len(data), err), Want: "an image"}
	}
	if err := o.fits(p, block); err != nil || o.Snapshot == nil {
		return err
	}
	least := 0.99
	if o.Similarity != nil {
		least = *o.Similarity
	}
	return m.Snapshots.matchImage(m.Key, o.file, data, p, least)
}

// fits compares the type and the size.
func (o *imageOptions) fits(p *picture.Picture, block json.RawMessage) error {
	declared, _ := schema.Get(block, "/mimeType")
	actual := "image/" + p.Format
	if said := strings.ToLower(Flat(declared)); said != actual && !(said == "image/jpg" && p.Format == "jpeg") {
		return &Mismatch{Got: fmt.Sprintf("mimeType %s, but the data is %s", showValue(declared), actual),
			Want: "a mimeType that the data has"}
	}
	if o.Type != "" && !strings.EqualFold(o.Type, actual) {
		return &Mismatch{Got: "type " + actual, Want: "type " + o.Type}
	}
	for _, side := range []struct {
		name string
		want *extent
		got  int
	}{{"width", o.Width, p.Width()}, {"height", o.Height, p.Height()}} {
		if e := side.want; e != nil && (e.Min != nil && side.got < *e.Min || e.Max != nil && side.got > *e.Max) {
			return &Mismatch{Got: fmt.Sprintf("%d×%d pixels", p.Width(), p.Height()),
				Want: side.name + " " + e.String()}
		}
	}
	return nil
}

// String describes the extent.
func (e *extent) String() string {
	switch {
	case e.Min == nil:
		return fmt.Sprintf("up to %d", *e.Max)
	case e.Max == nil:
		return fmt.Sprintf("at least %d", *e.Min)
	case *e.Min == *e.Max:
		return fmt.Sprint(*e.Min)
	}
	return fmt.Sprintf("%d to %d", *e.Min, *e.Max)
}

// imageIn finds an image: a content block or the contents of a resource, or the first one in a result.
func imageIn(raw json.RawMessage) (json.RawMessage, bool) {
	if kind, _ := schema.Get(raw, "/type"); Flat(kind) == "image" {
		return raw, true
	}
	if resource, ok := schema.Get(raw, "/resource"); ok {
		raw = resource
	}
	declared, _ := schema.Get(raw, "/mimeType")
	if _, ok := schema.Get(raw, "/blob"); ok && strings.HasPrefix(Flat(declared), "image/") {
		return raw, true
	}
	for _, list := range []string{"/content", "/contents"} {
		items, ok := schema.Get(raw, list)
		if !ok || schema.Kind(items) != '[' {
			continue
		}
		blocks, _ := schema.Elements(items)
		for _, b := range blocks {
			if found, ok := imageIn(b); ok {
				return found, true
			}
		}
	}
	return nil, false
}

// imageData is the encoded data of a block.
func imageData(block json.RawMessage) string {
	for _, name := range []string{"/data", "/blob"} {
		if raw, ok := schema.Get(block, name); ok {
			return Flat(raw)
		}
	}
	return ""
}
