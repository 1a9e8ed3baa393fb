package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// MarshalJSON writes the tool with the names that are used everywhere.
func (t Tool) MarshalJSON() ([]byte, error) { return t.encode(), nil }

// encode writes the tool. Raw JSON is copied byte for byte, which json.Marshal would not do.
func (t *Tool) encode() []byte {
	e := encoder{}
	e.value("name", t.Name)
	e.value("server", t.Server)
	e.some("version", t.Version, t.Version != 0)
	e.some("title", t.Title, t.Title != "")
	e.value("description", t.Description)
	e.raw("parameters", t.Parameters, true)
	e.raw("returns", t.Returns, true)
	e.raw("annotations", t.Annotations, false)
	e.raw("metadata", t.Metadata, false)
	e.some("tags", t.Tags, len(t.Tags) > 0)
	e.some("timeout", t.Timeout.String(), t.Timeout != 0)
	e.some("validators", t.Validators, len(t.Validators) > 0)
	e.some("run", t.Run, t.Run != Run{})
	e.some("source", t.Source, t.Source != "")
	e.some("stale", t.Stale, t.Stale)
	e.some("quarantined", t.Quarantined, t.Quarantined != "")
	e.some("registered_at", t.RegisteredAt, !t.RegisteredAt.IsZero())
	e.some("updated_at", t.UpdatedAt, !t.UpdatedAt.IsZero())
	e.raw("raw", t.Raw, false)
	e.WriteByte('}')
	return e.Bytes()
}

// An encoder writes an object, property by property.
type encoder struct{ bytes.Buffer }

func (e *encoder) name(name string) {
	if e.Len() == 0 {
		e.WriteByte('{')
	} else {
		e.WriteByte(',')
	}
	fmt.Fprintf(e, "%q:", name)
}

func (e *encoder) some(name string, value any, there bool) {
	if there {
		e.value(name, value)
	}
}

func (e *encoder) value(name string, value any) {
	e.name(name)
	enc := json.NewEncoder(e)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(err) // strings, numbers and times have a JSON form
	}
	e.Truncate(e.Len() - 1) // the line feed
}

func (e *encoder) raw(name string, value json.RawMessage, always bool) {
	if len(value) == 0 {
		if always {
			e.name(name)
			e.WriteString("null")
		}
		return
	}
	e.name(name)
	e.Write(value)
}

// UnmarshalJSON reads the output of MarshalJSON, or hand-written JSON with the same names. Unknown names are rejected:
// they are misspelled.
func (t *Tool) UnmarshalJSON(data []byte) error { return t.decode(bytes.Clone(data)) }

// decode does the same and retains parts of the data.
func (t *Tool) decode(data []byte) error {
	*t = Tool{}
	return members(data, func(name string, value json.RawMessage) error {
		if err := t.read(name, value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}

// read reads one property. Small ones are decoded by encoding/json, which reports errors.
func (t *Tool) read(name string, value json.RawMessage) error {
	var into any
	switch name {
	case "parameters":
		t.Parameters = present(value)
	case "returns":
		t.Returns = present(value)
	case "annotations":
		t.Annotations = present(value)
	case "metadata":
		t.Metadata = present(value)
	case "raw":
		t.Raw = present(value)
	case "timeout":
		return t.readTimeout(value)
	case "name":
		into = &t.Name
	case "server":
		into = &t.Server
	case "version":
		into = &t.Version
	case "title":
		into = &t.Title
	case "description":
		into = &t.Description
	case "tags":
		into = &t.Tags
	case "validators":
		return known(value, &t.Validators)
	case "run":
		return known(value, &t.Run)
	case "source":
		into = &t.Source
	case "stale":
		into = &t.Stale
	case "quarantined":
		into = &t.Quarantined
	case "registered_at":
		into = &t.RegisteredAt
	case "updated_at":
		into = &t.UpdatedAt
	default:
		return errors.New("unknown field")
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(value, into)
}

// known reads a value in which every property must be known: a misspelled one would be a header that is never sent.
func known(value json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(value))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err != nil && strings.HasPrefix(err.Error(), "json: unknown field ") {
		return errors.New(strings.TrimPrefix(err.Error(), "json: ") +
			"; run requires upstream (server, tool), http (method, url, header, body) or func; a validator requires " +
			"name and expression")
	}
	return err
}

func (t *Tool) readTimeout(value json.RawMessage) error {
	var err error
	if t.Timeout, err = time.ParseDuration(text(value)); err != nil {
		return fmt.Errorf("%s is not a duration, expected one such as \"30s\"", value)
	}
	return nil
}
