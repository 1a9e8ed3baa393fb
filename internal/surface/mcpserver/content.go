package mcpserver

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// summaryText is how much of a text a summary shows.
const summaryText = 500

// bounded is a result as it came, unless it is too large for an answer or only a summary is wanted; then each content
// block is shortened, and cut says how to get the rest.
func bounded(result json.RawMessage, frame int, brief bool) (shown json.RawMessage, cut string) {
	if !brief && len(result) <= answerLimit {
		return exact(result), ""
	}
	shown = summary(result)
	cut = fmt.Sprintf("the result has %d bytes and is shortened here; get_transcript with frame %d returns it piece by piece", len(result), frame)
	if brief {
		cut += ", detail full returns it whole"
	}
	return shown, cut
}

// summary keeps the small members of a result and shortens its content.
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

// shownBlocks is how many blocks a summary shows.
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
				one = append(one, m.Name, clip(text, summaryText), "cut_bytes", len(text))
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

// A binary tells what a base64 text in a result is.
type binary struct {
	Pointer  string `json:"pointer"`
	MIMEType string `json:"mime_type"`
	Bytes    int    `json:"bytes"`
}

// binaries finds the base64 of a tool's result.
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

// decodedSize is the number of bytes that a base64 text stands for; -1 if it is none.
func decodedSize(encoded json.RawMessage) int {
	s, _ := schema.Text(encoded)
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return -1
	}
	return len(data)
}

// firstText is the first text of a tool's result.
func firstText(result json.RawMessage) string {
	content, _ := schema.Get(result, "/content")
	blocks, _ := schema.Elements(content)
	for _, block := range blocks {
		if s := textAt(block, "/text"); s != "" {
			return s
		}
	}
	return "it gives no reason"
}
