package workbench

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// writeBlock shows one content block. Content other than text is described, not shown as base64.
func writeBlock(t *text, block json.RawMessage, saved *saver) {
	switch kind := textAt(block, "/type"); kind {
	case "text":
		t.show(textAt(block, "/text"))
	case "image", "audio":
		t.line(t.dim("[%s]", saved.binary(kind, textAt(block, "/mimeType"), textAt(block, "/data"))))
	case "resource":
		resource, _ := schema.Get(block, "/resource")
		writeResource(t, resource, saved)
	case "resource_link":
		t.line(t.dim("[link to %s]", strings.TrimSpace(textAt(block, "/uri")+" "+textAt(block, "/name"))))
	default:
		t.line(t.bad("[unknown content type %q]", kind))
		t.json(block)
	}
}

// writeResource shows one item of contents: text unchanged, other content described.
func writeResource(t *text, resource json.RawMessage, saved *saver) {
	if raw, ok := schema.Get(resource, "/text"); ok {
		body, _ := schema.Text(raw)
		t.show(body)
		return
	}
	kind := textAt(resource, "/mimeType")
	t.line(t.dim("[%s, %s]", textAt(resource, "/uri"), saved.binary("resource", kind, textAt(resource, "/blob"))))
}

// writeStructured shows structured content, unless a text block contains the same value.
func writeStructured(t *text, result json.RawMessage) {
	structured, ok := schema.Get(result, "/structuredContent")
	if !ok {
		return
	}
	content, _ := schema.Get(result, "/content")
	blocks, _ := schema.Elements(content)
	for _, block := range blocks {
		if sameJSON(json.RawMessage(textAt(block, "/text")), structured) {
			return
		}
	}
	t.line(t.dim("structured content:"))
	t.json(structured)
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
	text := fmt.Sprintf("%s, %s, %s", kind, shown, size(len(bytes)))
	if path, ok := s.saved(fileName(kind, mimeType, bytes)); ok {
		return text + ", saved as " + path
	}
	return text
}

// size formats a number of bytes.
func size(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return plural(n, "byte")
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
func writeRPCError(t *text, e *mcp.RPCError) {
	t.line(t.bad("✗ error %d: %s", e.Code, e.Message))
	if e.Data != nil {
		t.json(e.Data)
	}
}

// codeNoResource is the error code for an unknown resource in revisions before 2026-07-28.
const codeNoResource = -32002
