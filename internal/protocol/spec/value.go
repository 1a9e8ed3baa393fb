package spec

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

// kindOf returns the kind of a JSON value as used in the tables.
func kindOf(value json.RawMessage) string {
	if len(value) == 0 {
		return ""
	}
	switch value[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// isWhole reports whether a number is an integer in any notation: 1, 1.0 and 1e2 are. The exponent is limited,
// so that a short number cannot be expensive.
func isWhole(number json.RawMessage) bool {
	if at := strings.IndexAny(string(number), "eE"); at >= 0 && len(number)-at > 6 {
		return false
	}
	r, ok := new(big.Rat).SetString(string(number))
	return ok && r.IsInt()
}

// isURI reports whether a JSON string is an absolute URI.
func isURI(value json.RawMessage) bool {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return false
	}
	u, err := url.Parse(plainEscapes(text))
	return err == nil && u.IsAbs()
}

// plainEscapes returns a URI with a letter for each valid escape: RFC 3986 allows all of them in a host, net/url few.
func plainEscapes(uri string) string {
	var out strings.Builder
	for i := 0; i < len(uri); i++ {
		if uri[i] == '%' && i+2 < len(uri) {
			if _, err := hex.DecodeString(uri[i+1 : i+3]); err == nil {
				out.WriteByte('x')
				i += 2
				continue
			}
		}
		out.WriteByte(uri[i])
	}
	return out.String()
}

// isTemplate reports whether the braces of a JSON string are those of a URI template.
func isTemplate(value json.RawMessage) bool {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return false
	}
	open := false
	for _, c := range text {
		if c == '{' && open || c == '}' && !open {
			return false
		}
		open = c == '{' || open && c != '}'
	}
	return !open
}

// sameText reports whether two JSON texts are the same string or number, regardless of notation.
func sameText(a json.RawMessage, b string) bool {
	if string(a) == b {
		return true
	}
	var x, y string
	return json.Unmarshal(a, &x) == nil && json.Unmarshal([]byte(b), &y) == nil && kindOf(a) == "string" && x == y
}

// maxDisplayed is the maximum length of a value in a message.
const maxDisplayed = 60

func show(value json.RawMessage) string {
	if len(value) == 0 {
		return "nothing"
	}
	return clip.Text(string(value), maxDisplayed)
}

func withArticle(basic string) string {
	switch basic {
	case "null":
		return "null"
	case "uri":
		return "an absolute URI"
	case "template":
		return "a URI template"
	case "any":
		return "a value"
	case "integer", "object":
		return "an " + basic
	}
	return "a " + basic
}

func rangeText(t *typ) string {
	switch {
	case t.most == nil:
		return fmt.Sprintf("%v or more", *t.least)
	case t.least == nil:
		return fmt.Sprintf("%v or less", *t.most)
	}
	return fmt.Sprintf("%v to %v", *t.least, *t.most)
}

// pointerToken escapes a key as a token of a JSON Pointer.
var pointerToken = strings.NewReplacer("~", "~0", "/", "~1")

func escape(key string) string { return pointerToken.Replace(key) }

func sortedKeys(members map[string]json.RawMessage, ok bool) []string {
	if !ok {
		return nil
	}
	keys := make([]string, 0, len(members))
	for key := range members {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
