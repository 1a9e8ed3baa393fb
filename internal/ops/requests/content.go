package requests

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// writeBlock shows one content block. Content other than text is described, not shown as base64.
func writeBlock(t *workbench.Text, block json.RawMessage, saved *saver) {
	switch kind := schema.TextAt(block, "/type"); kind {
	case "text":
		t.Show(schema.TextAt(block, "/text"))
	case "image", "audio":
		t.Line(t.Dim("[%s]", saved.binary(kind, schema.TextAt(block, "/mimeType"),
			schema.TextAt(block, "/data"))))
	case "resource":
		resource, _ := schema.Get(block, "/resource")
		writeResource(t, resource, saved)
	case "resource_link":
		t.Line(t.Dim("[link to %s]", strings.TrimSpace(schema.TextAt(block, "/uri")+" "+
			schema.TextAt(block, "/name"))))
	default:
		t.Line(t.Bad("[unknown content type %q]", kind))
		t.JSON(block)
	}
}

// writeResource shows one item of contents: text unchanged, other content described.
func writeResource(t *workbench.Text, resource json.RawMessage, saved *saver) {
	if raw, ok := schema.Get(resource, "/text"); ok {
		body, _ := schema.Text(raw)
		t.Show(body)
		return
	}
	kind := schema.TextAt(resource, "/mimeType")
	t.Line(t.Dim("[%s, %s]", schema.TextAt(resource, "/uri"),
		saved.binary("resource", kind, schema.TextAt(resource, "/blob"))))
}

// writeStructured shows structured content, unless a text block contains the same value.
func writeStructured(t *workbench.Text, result json.RawMessage) {
	structured, ok := schema.Get(result, "/structuredContent")
	if !ok {
		return
	}
	content, _ := schema.Get(result, "/content")
	blocks, _ := schema.Elements(content)
	for _, block := range blocks {
		if sameJSON(json.RawMessage(schema.TextAt(block, "/text")), structured) {
			return
		}
	}
	t.Line(t.Dim("structured content:"))
	t.JSON(structured)
}

// sameJSON compares two values, ignoring whitespace.
func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	if json.Compact(&x, a) != nil || json.Compact(&y, b) != nil {
		return false
	}
	return bytes.Equal(x.Bytes(), y.Bytes())
}

// binary describes binary content: type, size, and where it was saved.
func (s *saver) binary(kind, mimeType, data string) string {
	bytes, err := base64.StdEncoding.DecodeString(data)
	shown := mimeType
	if shown == "" {
		shown = "no MIME type"
	}
	if err != nil {
		return fmt.Sprintf("%s, %s, not valid base64: %v", kind, shown, err)
	}
	text := fmt.Sprintf("%s, %s, %s", kind, shown, workbench.Size(len(bytes)))
	if path, ok := s.saved(fileName(kind, mimeType, bytes)); ok {
		return text + ", saved as " + path
	}
	return text
}

// rawError returns the error field of a response, unchanged.
func rawError(ex *mcp.Exchange) []byte {
	if raw, ok := schema.Get(ex.Reply.Frame.Body, "/error"); ok {
		return raw
	}
	raw, _ := json.Marshal(ex.Reply.Error)
	return raw
}

// writeRPCError shows a JSON-RPC error with its data.
func writeRPCError(t *workbench.Text, e *mcp.RPCError) {
	t.Line(t.Bad("✗ error %d: %s", e.Code, e.Message))
	if e.Data != nil {
		t.JSON(e.Data)
	}
}

// codeNoResource is the error code for an unknown resource in revisions before 2026-07-28.
const codeNoResource = -32002
