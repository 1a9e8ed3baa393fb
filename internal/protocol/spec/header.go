package spec

import (
	"encoding/base64"
	"strings"
)

// NamedBy returns the parameter that the header Mcp-Name repeats; "" if there is none.
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

// Prefix and suffix of a base64 header value.
const encodedPrefix, encodedSuffix = "=?base64?", "?="

// HeaderValue encodes a text for a header of the protocol: plain if possible, otherwise base64.
func HeaderValue(text string) string {
	plain := text == strings.TrimSpace(text) &&
		!(strings.HasPrefix(text, encodedPrefix) && strings.HasSuffix(text, encodedSuffix))
	for i := 0; plain && i < len(text); i++ {
		plain = text[i] >= 0x20 && text[i] < 0x7f || text[i] == '\t'
	}
	if plain {
		return text
	}
	return encodedPrefix + base64.StdEncoding.EncodeToString([]byte(text)) + encodedSuffix
}

// HeaderText decodes a header value: the inverse of [HeaderValue].
func HeaderText(value string) string {
	inner, ok := strings.CutPrefix(value, encodedPrefix)
	if inner, end := strings.CutSuffix(inner, encodedSuffix); ok && end {
		if text, err := base64.StdEncoding.DecodeString(inner); err == nil {
			return string(text)
		}
	}
	return value
}
