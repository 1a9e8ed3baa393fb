package mcpserver

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// bounded returns a result unchanged, unless it is too large or a brief one is requested; then each content block is
// shortened, and cut describes how to get the rest.
func bounded(result json.RawMessage, frame int, v verbosity) (shown json.RawMessage, cut string) {
	if v != brief && len(result) <= v.limit() {
		return rawOrBase64(result), ""
	}
	shown = summary(result, v.textLimit())
	cut = fmt.Sprintf("%d bytes, shortened; use get_frame with number %d to read it in parts", len(result), frame)
	if v == brief || v != full && len(result) <= maxResponseBytes {
		cut += ", or verbosity full for all of it"
	}
	return shown, cut
}

// summary keeps the small fields of a result and shortens its content to texts of the given length.
func summary(result json.RawMessage, most int) json.RawMessage {
	members, err := schema.Members(result)
	if err != nil {
		return json.RawMessage("null")
	}
	var out ordered
	for _, m := range members {
		switch {
		case m.Name == "content" || m.Name == "contents" || m.Name == "messages":
			out = append(out, m.Name, summaries(m.Value, most))
		case len(m.Value) <= 4*most:
			out = append(out, m.Name, rawOrBase64(m.Value))
		default:
			out = append(out, m.Name, ordered{"cut_bytes", len(m.Value)})
		}
	}
	encoded, _ := out.MarshalJSON()
	return encoded
}

// maxBlocks is the number of blocks in a summary.
const maxBlocks = 50

func summaries(content json.RawMessage, most int) []any {
	blocks, _ := schema.Elements(content)
	shown, left := []any{}, normalLimit
	for _, block := range blocks[:min(len(blocks), maxBlocks)] {
		members, _ := schema.Members(block)
		var one ordered
		for _, m := range members {
			text, isText := schema.Text(m.Value)
			switch {
			case len(m.Value) <= min(most, left):
				one = append(one, m.Name, rawOrBase64(m.Value))
			case isText && m.Name == "text":
				one = append(one, m.Name, clip.Text(text, min(most, left)), "cut_bytes", len(text))
			default:
				one = append(one, m.Name, ordered{"cut_bytes", len(m.Value)})
			}
		}
		shown, left = append(shown, one), max(left-len(serve.Encode(one)), briefText)
	}
	if more := len(blocks) - len(shown); more > 0 {
		shown = append(shown, ordered{"cut_items", more})
	}
	return shown
}

// A binary describes base64 content in a result.
type binary struct {
	Pointer  string `json:"pointer"`
	MIMEType string `json:"mime_type"`
	Bytes    int    `json:"bytes"`
}

// binaries finds the base64 content of a tool's result.
func binaries(result json.RawMessage) []binary {
	content, _ := schema.Get(result, "/content")
	blocks, _ := schema.Elements(content)
	var all []binary
	for i, block := range blocks {
		at := fmt.Sprintf("/content/%d", i)
		if data, ok := schema.Get(block, "/data"); ok {
			all = append(all, binary{at + "/data", schema.TextAt(block, "/mimeType"), decodedSize(data)})
		}
		if blob, ok := schema.Get(block, "/resource/blob"); ok {
			all = append(all, binary{at + "/resource/blob", schema.TextAt(block, "/resource/mimeType"),
				decodedSize(blob)})
		}
	}
	return all
}

// decodedSize returns the decoded size of a base64 text in bytes; -1 if it is invalid.
func decodedSize(encoded json.RawMessage) int {
	s, _ := schema.Text(encoded)
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return -1
	}
	return len(data)
}

// firstText returns the first text of a tool's result.
func firstText(result json.RawMessage) string {
	content, _ := schema.Get(result, "/content")
	blocks, _ := schema.Elements(content)
	for _, block := range blocks {
		if s := schema.TextAt(block, "/text"); s != "" {
			return s
		}
	}
	return "no reason given"
}
