package redact

import "strings"

// maxName limits how far before a separator a name is searched, which keeps the search linear.
const maxName = 64

// fields replaces the values of secret names in name=value, Name: value and "name": "value", the last also inside a
// JSON string. It goes from separator to separator and examines both sides.
func fields(text string) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(text); {
		step := strings.IndexAny(text[i:], "=:")
		if step < 0 {
			break
		}
		separator := i + step
		i = separator + 1
		name, quoted := nameBefore(text[done:separator], text[separator])
		if !secretField(name) {
			continue
		}
		start, end := valueAfter(text, separator, name, quoted)
		if start == end || !secretPair(name, text[separator], quoted, text[start:end]) {
			continue
		}
		out.WriteString(text[done:start] + Placeholder)
		done, i = end, end
	}
	return out.String() + text[done:]
}

// nameBefore returns the name at the end of text, and whether it is quoted.
func nameBefore(text string, separator byte) (name string, quoted bool) {
	text = text[max(0, len(text)-maxName-16):]
	text = strings.TrimRight(text, " \t\r\n")
	if separator == ':' && (strings.HasSuffix(text, `"`) || strings.HasSuffix(text, `'`)) {
		text = strings.TrimRight(text[:len(text)-1], `\`)
		return text[strings.LastIndexAny(text, `"'`)+1:], true
	}
	text = strings.TrimSuffix(text, ":") // k:=v
	start := len(text)
	for start > 0 && nameByte(text[start-1]) {
		start--
	}
	return strings.Trim(text[start:], "-."), false
}

func nameByte(c byte) bool {
	return alphanumeric(c) || c == '_' || c == '-' || c == '.'
}

// valueAfter returns the span of the value after a separator; an empty span if there is nothing to hide.
func valueAfter(text string, separator int, name string, quotedName bool) (start, end int) {
	start = separator + 1
	if strings.HasPrefix(text[start:], ">") { // name => value
		start++
	}
	for limit := start + 8; start < len(text) && start < limit &&
		(text[start] == ' ' || quotedName && blank(text[start])); {
		start++
	}
	depth := start
	for depth < len(text) && text[depth] == '\\' {
		depth++
	}
	if depth < len(text) && (text[depth] == '"' || text[depth] == '\'') {
		return depth + 1, depth + 1 + closing(text[depth+1:], text[depth], depth-start)
	}
	if quotedName || strings.HasPrefix(text[start:], Placeholder) {
		return start, start
	}
	return start, start + plainEnd(text[start:], name)
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// closing returns the offset of the closing quote with its backslashes, or of the end of the text. Each level of
// nesting doubles the backslashes: a quote that was opened with depth of them is closed by depth of them after any
// number of escaped backslashes. Fewer close an outer level, and this one with it.
func closing(text string, quote byte, depth int) int {
	backslashes := 0
	for i := range len(text) {
		switch {
		case text[i] == '\\':
			backslashes++
			continue
		case text[i] != quote:
		case backslashes < depth:
			return i - backslashes
		case backslashes%(2*(depth+1)) == depth:
			return i - depth
		}
		backslashes = 0
	}
	return len(text)
}

func plainEnd(text, name string) int {
	stops := " \t\r\n\"'&;,(){}[]<>\\"
	if wholeLine(name) {
		stops = "\r\n\"'"
	}
	if end := strings.IndexAny(text, stops); end >= 0 {
		return end
	}
	return len(text)
}

// secretField is SecretName without the single words that are common in ordinary data ({"key": …, "value": …}).
func secretField(name string) bool {
	switch strings.ToLower(name) {
	case "", "key", "keys", "sessions", "tokens", "cookies":
		return false
	}
	return len(name) <= maxName && SecretName(name)
}

// secretPair decides by name, separator and value together: prose such as "unexpected token: end" must stay readable.
func secretPair(name string, separator byte, quotedName bool, value string) bool {
	if plainWord(value) || separator == ':' && !quotedName && variableName(value) {
		return false
	}
	if separator == '=' || quotedName || len(splitWords(name)) > 1 || wholeLine(name) {
		return true
	}
	return strings.HasPrefix(strings.ToLower(name), "passw") || len(value) >= 8 && opaque(value)
}

// variableName reports whether a value is the name of a variable: "missing API key: OPENAI_API_KEY" contains no secret.
func variableName(value string) bool {
	return strings.Contains(value, "_") && strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" && SecretName(value)
}

// plainWord reports whether a value is a word that is not secret.
func plainWord(value string) bool {
	switch strings.ToLower(value) {
	case "true", "false", "null", "none", "nil", "undefined", "=", strings.ToLower(Placeholder):
		return true
	}
	return false
}

// wholeLine reports whether values of this name contain spaces: a scheme and its credentials, or several cookies.
func wholeLine(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "cookie", "set-cookie":
		return true
	}
	return false
}

// flags replaces the argument of a secret option: "--token abc123" on a command line, but not "--token to sign in" in a
// help text.
func flags(text string) string {
	var out strings.Builder
	for {
		_, rest, found := strings.Cut(text, "--")
		if !found {
			break
		}
		at := len(text) - len(rest)
		name, value := at, at
		for value < min(len(text), at+maxName) && nameByte(text[value]) {
			value++
		}
		end := value
		if value < len(text) && text[value] == ' ' && secretField(text[name:value]) {
			value++
			end = value + plainEnd(text[value:], "")
		}
		if end == value || !opaque(text[value:end]) {
			value, end = at, at
			out.WriteString(text[:at])
		} else {
			out.WriteString(text[:value] + Placeholder)
		}
		text = text[end:]
	}
	return out.String() + text
}
