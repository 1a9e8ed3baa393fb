package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

// An expression is one {…} of a URI template, as defined in RFC 6570.
type expression struct {
	operator byte // + # . / ; ? & or 0
	names    []variable
}

type variable struct {
	name    string
	explode bool
	prefix  int // maximum number of characters; 0 for all
}

// An operator defines how the values of an expression are joined.
type operator struct {
	first, between string
	named, ifEmpty bool // write name=value; write = after a name without value
	reserved       bool // do not escape reserved characters
}

var operators = map[byte]operator{
	0:   {between: ","},
	'+': {between: ",", reserved: true},
	'#': {first: "#", between: ",", reserved: true},
	'.': {first: ".", between: "."},
	'/': {first: "/", between: "/"},
	';': {first: ";", between: ";", named: true},
	'?': {first: "?", between: "&", named: true, ifEmpty: true},
	'&': {first: "&", between: "&", named: true, ifEmpty: true},
}

// Expand expands a resource template. An omitted variable is undefined, one with an empty value is not.
func Expand(in ExpandInput) Expanded {
	out := Expanded{Missing: []string{}}
	var uri strings.Builder
	rest := in.Template
	for {
		before, after, found := strings.Cut(rest, "{")
		uri.WriteString(encode(before, true))
		if !found {
			break
		}
		body, tail, closed := strings.Cut(after, "}")
		e, err := parseExpression(body)
		if !closed || err != nil {
			out.Problem = fmt.Sprintf("invalid template at {%s", clip.Text(body, 60))
			return out
		}
		uri.WriteString(e.expand(in.Values, &out))
		rest = tail
	}
	out.URI = uri.String()
	return out
}

// TemplateVariables lists the variables of a template, each once.
func TemplateVariables(template string) []string {
	var names []string
	for part := range strings.SplitSeq(template, "{") {
		body, _, closed := strings.Cut(part, "}")
		e, err := parseExpression(body)
		if !closed || err != nil {
			continue
		}
		for _, v := range e.names {
			if !slices.Contains(names, v.name) {
				names = append(names, v.name)
			}
		}
	}
	return names
}

func parseExpression(body string) (expression, error) {
	var e expression
	if body != "" && strings.IndexByte("+#./;?&", body[0]) >= 0 {
		e.operator, body = body[0], body[1:]
	}
	for spec := range strings.SplitSeq(body, ",") {
		v := variable{}
		v.name, v.explode = strings.CutSuffix(spec, "*")
		if name, prefix, cut := strings.Cut(v.name, ":"); cut {
			v.name = name
			if _, err := fmt.Sscanf(prefix, "%d", &v.prefix); err != nil || v.prefix < 1 {
				return e, fmt.Errorf("prefix %q", prefix)
			}
		}
		if v.name == "" || strings.Trim(v.name,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.%") != "" {
			return e, fmt.Errorf("variable %q", v.name)
		}
		e.names = append(e.names, v)
	}
	return e, nil
}

func (e expression) expand(values map[string]string, out *Expanded) string {
	op := operators[e.operator]
	var parts []string
	for _, v := range e.names {
		value, set := values[v.name]
		if !set {
			if !slices.Contains(out.Missing, v.name) {
				out.Missing = append(out.Missing, v.name)
			}
			continue
		}
		if runes := []rune(value); v.prefix > 0 && len(runes) > v.prefix {
			value = string(runes[:v.prefix])
		}
		text := encode(value, op.reserved)
		if op.named && (value != "" || op.ifEmpty) {
			text = v.name + "=" + text
		} else if op.named {
			text = v.name
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return op.first + strings.Join(parts, op.between)
}

// encode escapes what is not allowed in a URI; with reserved it keeps reserved characters and escapes.
func encode(text string, reserved bool) string {
	var out strings.Builder
	for n := range len(text) {
		c := text[n]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0,
			reserved && strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0, reserved && c == '%' && isEscape(text[n:]):
			out.WriteByte(c)
		default:
			fmt.Fprintf(&out, "%%%02X", c)
		}
	}
	return out.String()
}

func isEscape(text string) bool {
	const hex = "0123456789abcdefABCDEF"
	return len(text) >= 3 && strings.IndexByte(hex, text[1]) >= 0 && strings.IndexByte(hex, text[2]) >= 0
}
