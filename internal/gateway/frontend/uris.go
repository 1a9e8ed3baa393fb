package frontend

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// metaURIs are the members of _meta that refer to a resource of the same server.
var metaURIs = []string{"/ui/resourceUri", "/ui~1resourceUri", "/openai~1outputTemplate"}

// exposeMeta rewrites the references to resources in the _meta of a tool or a result.
func exposeMeta(server string, meta json.RawMessage) json.RawMessage {
	if !bytes.Contains(meta, []byte("://")) {
		return meta
	}
	var edits []finding.Edit
	for _, pointer := range metaURIs {
		if value, found := schema.Get(meta, pointer); found && serve.Text(value) != "" {
			edits = append(edits, finding.Edit{Pointer: pointer, Value: rawjson.Quote(naming.URI(server, serve.Text(value)))})
		}
	}
	return edited(meta, edits)
}

// exposeResult rewrites the URIs in a result of a tool, a prompt or a resource: of links, of embedded resources and of
// contents that were read. Everything else stays unchanged.
func exposeResult(server string, result json.RawMessage) json.RawMessage {
	if !bytes.Contains(result, []byte(`"uri"`)) && !bytes.Contains(result, []byte("://")) {
		return result
	}
	return edited(result, resultEdits(server, "", result))
}

// exposeTask is exposeResult for server data about a task, which can include the result.
func exposeTask(server string, state json.RawMessage) json.RawMessage {
	if inner, found := schema.Get(state, "/result"); found {
		return edited(state, resultEdits(server, "/result", inner))
	}
	return exposeResult(server, state)
}

// resultEdits are the changes to a result at a location in a document.
func resultEdits(server, at string, result json.RawMessage) []finding.Edit {
	var r struct {
		Content  []block       `json:"content"`
		Contents []resourceRef `json:"contents"`
		Messages []struct {
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Meta json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(result, &r) // a value of another shape has no URI to rewrite
	var edits []finding.Edit
	change := func(pointer, uri string) {
		if uri != "" {
			edits = append(edits, finding.Edit{Pointer: at + pointer, Value: rawjson.Quote(naming.URI(server, uri))})
		}
	}
	for i, b := range r.Content {
		b.change("/content/"+strconv.Itoa(i), change)
	}
	for i, c := range r.Contents {
		change("/contents/"+strconv.Itoa(i)+"/uri", c.URI)
	}
	for i, m := range r.Messages {
		var b block
		_ = json.Unmarshal(m.Content, &b)
		b.change("/messages/"+strconv.Itoa(i)+"/content", change)
	}
	if meta := exposeMeta(server, r.Meta); !bytes.Equal(meta, r.Meta) {
		edits = append(edits, finding.Edit{Pointer: at + "/_meta", Value: meta})
	}
	return edits
}

// A block is one content block.
type block struct {
	Type     string      `json:"type"`
	URI      string      `json:"uri"`
	Resource resourceRef `json:"resource"`
}

type resourceRef struct {
	URI string `json:"uri"`
}

func (b block) change(at string, change func(pointer, uri string)) {
	switch b.Type {
	case "resource_link":
		change(at+"/uri", b.URI)
	case "resource":
		change(at+"/resource/uri", b.Resource.URI)
	}
}

// exposeError rewrites the URI in an error.
func exposeError(server string, bad *serve.Error) *serve.Error {
	if bad == nil {
		return nil
	}
	uri, found := schema.Get(bad.Data, "/uri")
	if !found || serve.Text(uri) == "" {
		return bad
	}
	changed := *bad
	changed.Data = serve.SetText(bad.Data, "/uri", naming.URI(server, serve.Text(uri)))
	return &changed
}

// edited applies the edits; a document in which an edit fails stays unchanged.
func edited(doc json.RawMessage, edits []finding.Edit) json.RawMessage {
	if len(edits) == 0 {
		return doc
	}
	changed, err := schema.Apply(doc, edits)
	if err != nil {
		return doc
	}
	return changed
}
