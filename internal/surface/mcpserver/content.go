package mcpserver

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// summaryText is the length of a text in a summary.
const summaryText = 500

// bounded returns a result unchanged, unless it is too large for a response or only a summary is requested;
// then each content block is shortened, and cut describes how to get the rest.
func bounded(result json.RawMessage, frame int, brief bool) (shown json.RawMessage, cut string) {
	if !brief && len(result) <= answerLimit {
		return exact(result), ""
	}
	shown = summary(result)
	cut = fmt.Sprintf("the result has %d bytes and is shortened here; use get_transcript with frame %d to read it in parts", len(result), frame)
	if brief {
		cut += ", or detail full to return all of it"
	}
	return shown, cut
}

// summary keeps the small fields of a result and shortens its content.
func summary(result json.RawMessage) json.RawMessage {
	members, err := schema.Members(result)
	if err != nil {
		return json.RawMessage("null")
	}
	var out ordered
	for _, m := range members {
		switch {
		case m.Name == "content" || m.Name == "contents" || m.Name == "messages":
			out = append(out, m.Name, summaries(m.Value))
		case len(m.Value) <= 4*summaryText:
			out = append(out, m.Name, exact(m.Value))
		default:
			out = append(out, m.Name, ordered{"cut_bytes", len(m.Value)})
		}
	}
	encoded, _ := out.MarshalJSON()
	return encoded
}

// shownBlocks is the number of blocks in a summary.
const shownBlocks = 50

func summaries(content json.RawMessage) []any {
	blocks, _ := schema.Elements(content)
	shown := []any{}
	for _, block := range blocks[:min(len(blocks), shownBlocks)] {
		members, _ := schema.Members(block)
		var one ordered
		for _, m := range members {
			text, isText := schema.Text(m.Value)
			switch {
			case len(m.Value) <= summaryText:
				one = append(one, m.Name, exact(m.Value))
			case isText && m.Name == "text":
				one = append(one, m.Name, clip.Text(text, summaryText), "cut_bytes", len(text))
			default:
				one = append(one, m.Name, ordered{"cut_bytes", len(m.Value)})
			}
		}
		shown = append(shown, one)
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
			all = append(all, binary{at + "/data", textAt(block, "/mimeType"), decodedSize(data)})
		}
		if blob, ok := schema.Get(block, "/resource/blob"); ok {
			all = append(all, binary{at + "/resource/blob", textAt(block, "/resource/mimeType"), decodedSize(blob)})
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
		if s := textAt(block, "/text"); s != "" {
			return s
		}
	}
	return "no reason given"
}
