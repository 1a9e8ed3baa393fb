package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// A document is the JSON form of a tool. Returns is null if there is none.
type document struct {
	Name         string          `json:"name"`
	Server       string          `json:"server"`
	Version      int             `json:"version,omitempty"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description"`
	Parameters   json.RawMessage `json:"parameters"`
	Returns      json.RawMessage `json:"returns"`
	Annotations  json.RawMessage `json:"annotations,omitempty"`
	Metadata     json.RawMessage `json:"metadata,omitempty"`
	Tags         []string        `json:"tags,omitempty"`
	Timeout      string          `json:"timeout,omitempty"`
	Validators   []Validator     `json:"validators,omitempty"`
	Run          *Run            `json:"run,omitempty"`
	Source       Source          `json:"source,omitempty"`
	Stale        bool            `json:"stale,omitempty"`
	RegisteredAt *time.Time      `json:"registered_at,omitempty"`
	UpdatedAt    *time.Time      `json:"updated_at,omitempty"`
	Raw          json.RawMessage `json:"raw,omitempty"`
}

// MarshalJSON writes the tool with the names that every surface uses.
func (t Tool) MarshalJSON() ([]byte, error) { return t.encode(), nil }

// encode writes the tool. Raw JSON goes in byte for byte, which json.Marshal would not do.
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
	e.some("registered_at", t.RegisteredAt, !t.RegisteredAt.IsZero())
	e.some("updated_at", t.UpdatedAt, !t.UpdatedAt.IsZero())
	e.raw("raw", t.Raw, false)
	e.WriteByte('}')
	return e.Bytes()
}

// An encoder writes an object, member by member.
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

// UnmarshalJSON reads what MarshalJSON wrote, or what a person wrote with the same names.
func (t *Tool) UnmarshalJSON(data []byte) error {
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	*t = Tool{
		Name: d.Name, Server: d.Server, Version: d.Version, Title: d.Title, Description: d.Description,
		Parameters: present(d.Parameters), Returns: present(d.Returns), Annotations: present(d.Annotations), Metadata: present(d.Metadata),
		Tags: d.Tags, Validators: d.Validators, Source: d.Source, Stale: d.Stale, Raw: present(d.Raw),
	}
	if d.Run != nil {
		t.Run = *d.Run
	}
	if d.RegisteredAt != nil {
		t.RegisteredAt = *d.RegisteredAt
	}
	if d.UpdatedAt != nil {
		t.UpdatedAt = *d.UpdatedAt
	}
	if d.Timeout == "" {
		return nil
	}
	var err error
	if t.Timeout, err = time.ParseDuration(d.Timeout); err != nil {
		return fmt.Errorf("timeout is %q; want a duration such as 30s", d.Timeout)
	}
	return nil
}

// present returns a value, or nil where it is null.
func present(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}
