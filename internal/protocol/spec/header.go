package spec

import (
	"encoding/base64"
	"strings"
)

// NamedBy is the parameter that says what a request is about, which the header Mcp-Name repeats; "" if none does.
func NamedBy(method string) string {
	switch method {
	case "tools/call", "prompts/get":
		return "name"
	case "resources/read":
		return "uri"
	case "tasks/get", "tasks/update", "tasks/cancel":
		return "taskId"
	}
	return ""
}

// What stands around a header value that is written in base64.
const encodedPrefix, encodedSuffix = "=?base64?", "?="

// HeaderValue writes a text as a header of the protocol has it: plain where a header can carry it, base64 where not.
func HeaderValue(text string) string {
	plain := text == strings.TrimSpace(text) && !(strings.HasPrefix(text, encodedPrefix) && strings.HasSuffix(text, encodedSuffix))
	for i := 0; plain && i < len(text); i++ {
		plain = text[i] >= 0x20 && text[i] < 0x7f || text[i] == '\t'
	}
	if plain {
		return text
	}
	return encodedPrefix + base64.StdEncoding.EncodeToString([]byte(text)) + encodedSuffix
}

// HeaderText is the text of a header value: it undoes [HeaderValue].
func HeaderText(value string) string {
	inner, ok := strings.CutPrefix(value, encodedPrefix)
	if inner, end := strings.CutSuffix(inner, encodedSuffix); ok && end {
		if text, err := base64.StdEncoding.DecodeString(inner); err == nil {
			return string(text)
		}
	}
	return value
}
