package conform

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A block is a content block and its location.
type block struct {
	raw     json.RawMessage
	pointer string
}

// blocksOf lists the content blocks of a tool result, including embedded resources.
func blocksOf(result json.RawMessage) []block {
	var all []block
	items, _ := schema.Elements(At(result, "/content"))
	for i, raw := range items {
		all = append(all, block{raw, fmt.Sprintf("/content/%d", i)})
	}
	return withEmbedded(all)
}

// messageBlocks lists the content blocks of prompt messages.
func messageBlocks(result json.RawMessage) []block {
	var all []block
	items, _ := schema.Elements(At(result, "/messages"))
	for i, raw := range items {
		all = append(all, block{At(raw, "/content"), fmt.Sprintf("/messages/%d/content", i)})
	}
	return withEmbedded(all)
}

// contentsOf lists the contents of a resource.
func contentsOf(result json.RawMessage) []block {
	var all []block
	items, _ := schema.Elements(At(result, "/contents"))
	for i, raw := range items {
		all = append(all, block{raw, fmt.Sprintf("/contents/%d", i)})
	}
	return all
}

func withEmbedded(blocks []block) []block {
	all := blocks
	for _, b := range blocks {
		if inner := At(b.raw, "/resource"); schema.TextAt(b.raw, "/type") == "resource" && inner != nil {
			all = append(all, block{inner, b.pointer + "/resource"})
		}
	}
	return all
}

// badBase64 describes the fault in the binary data of a block; empty if it is valid or absent.
func (b block) badBase64() (pointer, problem string) {
	for _, key := range []string{"data", "blob"} {
		raw := At(b.raw, "/"+key)
		text, isText := schema.Text(raw)
		if !isText || key == "data" && schema.TextAt(b.raw, "/type") != "image" &&
			schema.TextAt(b.raw, "/type") != "audio" {
			continue
		}
		if problem := base64Problem(text); problem != "" {
			return b.pointer + "/" + key, fmt.Sprintf("%s is %s%s, expected padded base64 in the standard alphabet",
				key, show(raw), problem)
		}
	}
	return "", ""
}

// base64Problem describes why a strict decoder rejects a text, to be added to a message; empty if it does not. The decoder
// of Go skips line breaks, which those of most languages do not.
func base64Problem(text string) string {
	_, err := base64.StdEncoding.Strict().DecodeString(text)
	bare := strings.TrimRight(text, "=")
	_, urlSafe := base64.RawURLEncoding.DecodeString(bare)
	_, standard := base64.RawStdEncoding.DecodeString(bare)
	switch {
	case strings.ContainsAny(text, "\r\n"):
		return " with line breaks"
	case err == nil:
		return ""
	case urlSafe == nil && standard != nil:
		return " in the URL-safe alphabet"
	case standard == nil && len(text)%4 != 0:
		return " with the wrong padding"
	}
	return " with invalid characters or bits"
}

// badType describes the fault in the media type of a block; empty if it is valid or absent.
func (b block) badType() (pointer, problem string) {
	text, isText := schema.Text(At(b.raw, "/mimeType"))
	if !isText {
		return "", ""
	}
	kind, _, err := mime.ParseMediaType(text)
	want := map[string]string{"image": "image/", "audio": "audio/"}[schema.TextAt(b.raw, "/type")]
	switch {
	case err != nil || strings.Count(kind, "/") != 1 || strings.HasPrefix(kind, "/") || strings.HasSuffix(kind, "/"):
		return b.pointer + "/mimeType", fmt.Sprintf("mimeType is %s, expected a media type such as text/plain",
			quoted(text))
	case want != "" && !strings.HasPrefix(kind, want):
		return b.pointer + "/mimeType", fmt.Sprintf("mimeType of the %s is %s, expected %s…",
			schema.TextAt(b.raw, "/type"),
			quoted(text), want)
	}
	return "", ""
}

// equalJSON reports whether two JSON texts represent the same value.
func equalJSON(a, b []byte) bool {
	x, y := jsontext.Value(a).Clone(), jsontext.Value(b).Clone()
	return x.Canonicalize() == nil && y.Canonicalize() == nil && string(x) == string(y)
}
