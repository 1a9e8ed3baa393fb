// Package catalog holds the tools of many servers: those that the servers list and those that were registered. It
// lists, filters and searches them in memory, and writes every change to a store before it becomes visible.
package catalog

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// A Key identifies a tool: the server it belongs to (empty if none) and its name there.
type Key = store.Key

// A Source is the origin of a tool.
type Source string

// The sources of tools.
const (
	FromUpstream Source = "upstream"   // listed by a server behind the gateway
	Registered   Source = "registered" // registered in the catalog
)

// A Tool is an entry of the catalog. Its JSON is stored verbatim.
type Tool struct {
	Name        string
	Server      string
	Version     int // from 1; incremented by each update, and by registering again after a removal
	Title       string
	Description string
	Parameters  json.RawMessage // the schema of the arguments
	Returns     json.RawMessage // the schema of the result; nil if there is none
	Annotations json.RawMessage
	Metadata    json.RawMessage
	Tags        []string
	Timeout     time.Duration // 0 means the gateway's default
	Validators  []Validator
	Run         Run
	Source      Source
	Stale       bool            // the server does not respond; this is what it last listed
	Quarantined string          // why it may not be called; it is shown as it was approved
	Raw         json.RawMessage // the definition as the server sent it; nil for a registered tool

	RegisteredAt time.Time
	UpdatedAt    time.Time
}

// A Validator checks arguments beyond their schema: an expression that is stored with the tool, or a named function of
// the program.
type Validator struct {
	Name       string `json:"name"`
	Expression string `json:"expression,omitempty"`
}

// A Run is how a tool is run. Exactly one of its fields is set.
type Run struct {
	Upstream *UpstreamRun `json:"upstream,omitempty"` // a tool of a server behind the gateway
	HTTP     *HTTPRun     `json:"http,omitempty"`     // a request to a host that the config allows
	Func     string       `json:"func,omitempty"`     // a named function of the program
}

// An UpstreamRun identifies a tool of a server behind the gateway.
type UpstreamRun struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
}

// An HTTPRun is a request built from the arguments.
type HTTPRun struct {
	Method string            `json:"method"`
	URL    string            `json:"url"`
	Header map[string]string `json:"header,omitempty"`
	Body   string            `json:"body,omitempty"`
}

// Key returns the key of the tool.
func (t *Tool) Key() Key { return Key{Server: t.Server, Name: t.Name} }

// sameDefinition reports whether two tools differ only in data that the catalog itself maintains.
func (t *Tool) sameDefinition(o *Tool) bool {
	a, b := *t, *o
	for _, x := range []*Tool{&a, &b} {
		x.Version, x.Stale, x.Quarantined, x.RegisteredAt, x.UpdatedAt = 0, false, "", time.Time{}, time.Time{}
	}
	return bytes.Equal(a.encode(), b.encode())
}

// clone returns a copy whose lists can be modified; raw JSON is shared, because it is never modified in place.
func (t *Tool) clone() Tool {
	c := *t
	c.Tags, c.Validators = slices.Clone(t.Tags), slices.Clone(t.Validators)
	return c
}

// ForModel reports whether a model may use the tool. Some tools are only for the views of their server (MCP Apps).
func (t *Tool) ForModel() bool { return t.visibleTo("model") }

// ForApp reports whether a view of the same server may use the tool.
func (t *Tool) ForApp() bool { return t.Source != Registered && t.visibleTo("app") }

// visibleTo reports whether the definition of the tool allows its use. Most tools restrict nothing, and are not parsed.
func (t *Tool) visibleTo(who string) bool {
	if !bytes.Contains(t.Metadata, []byte(`"visibility"`)) {
		return true
	}
	var meta struct {
		UI struct {
			Visibility []string `json:"visibility"`
		} `json:"ui"`
	}
	_ = json.Unmarshal(t.Metadata, &meta) // a value of another shape restricts nothing
	return len(meta.UI.Visibility) == 0 || slices.Contains(meta.UI.Visibility, who)
}
