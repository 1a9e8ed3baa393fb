package schema

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// makeString generates a string with the required pattern, format and length.
func (m *sampler) makeString(n *Node) (json.RawMessage, error) {
	least, most := integerOf(n, "minLength", 0), integerOf(n, "maxLength", -1)
	if least > 1<<20 {
		return nil, errors.New("minLength is too large")
	}
	if most >= 0 && least > most {
		return nil, errors.New("minLength is greater than maxLength")
	}
	if pattern, ok := n.Text("pattern"); ok {
		text, err := m.matching(pattern, least, most)
		return rawjson.Quote(text), err
	}
	if format, ok := n.Text("format"); ok {
		if text, known := formatted[format]; known && length(text, least, most) {
			return rawjson.Quote(text), nil
		}
	}
	description, _ := n.Text("description")
	if text := DescribedTime(description); text != "" && !m.smallest() && length(text, least, most) {
		return rawjson.Quote(text), nil
	}
	return rawjson.Quote(m.plain(least, most)), nil
}

// formatted has one valid value of each format; the names are reserved for examples by RFC 2606 and RFC 5737.
var formatted = map[string]string{
	"date": "2025-01-31", "date-time": "2025-01-31T12:00:00Z", "time": "12:00:00Z", "duration": "P1D",
	"email": "ada@example.com", "idn-email": "ada@example.com", "hostname": "example.com",
	"idn-hostname": "example.com",
	"ipv4":         "192.0.2.1", "ipv6": "2001:db8::1",
	"uri": "https://example.com/", "url": "https://example.com/", "iri": "https://example.com/",
	"uri-reference": "/path", "iri-reference": "/path", "uri-template": "/path/{id}",
	"uuid": "123e4567-e89b-12d3-a456-426614174000", "json-pointer": "/a", "relative-json-pointer": "0", "regex": "a+",
	"byte": "YQ==", "base64": "YQ==", "semver": "1.0.0",
}

// plain returns a string without further constraints. The smallest is as short as allowed.
func (m *sampler) plain(least, most int) string {
	text := "text"
	if m.smallest() {
		text = ""
	}
	for utf8.RuneCountInString(text) < least {
		text += strings.Repeat("x", least-len(text))
	}
	if most >= 0 && len(text) > most {
		text = text[:most]
	}
	return text
}

func length(text string, least, most int) bool {
	count := utf8.RuneCountInString(text)
	return count >= least && (most < 0 || count <= most)
}
