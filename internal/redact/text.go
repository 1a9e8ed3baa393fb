package redact

import "strings"

// Text replaces what looks like a secret: known token formats, private keys, credentials in URLs, and the values of
// secret names in forms like name=value, "name":"value" and Name: value.
func Text(text string) string {
	if len(text) < 4 {
		return text
	}
	text = privateKeys(text)
	text = links(text)
	text = fields(text)
	text = flags(text)
	return shapes(text)
}

// links redacts text with a scheme and an authority, up to the next space or quote.
func links(text string) string {
	var out strings.Builder
	done := 0
	for {
		step := strings.Index(text[done:], "://")
		if step < 0 {
			break
		}
		start, end := done+step, done+step+3
		for start > done && done+step-start < 20 && nameByte(text[start-1]) {
			start--
		}
		if stop := strings.IndexAny(text[end:], " \t\r\n\"'<>\\`"); stop >= 0 {
			end += stop
		} else {
			end = len(text)
		}
		out.WriteString(text[done:start] + address(text[start:end]))
		done = end
	}
	return out.String() + text[done:]
}

// privateKeys replaces PEM blocks of private keys. A block without an end is cut to the end of the text.
func privateKeys(text string) string {
	const begin, end = "-----BEGIN ", "PRIVATE KEY-----"
	var out strings.Builder
	for {
		start := strings.Index(text, begin)
		if start < 0 {
			break
		}
		label := start + len(begin)
		close := strings.Index(text[label:min(len(text), label+60)], end)
		if close < 0 {
			out.WriteString(text[:label])
			text = text[label:]
			continue
		}
		out.WriteString(text[:start] + Placeholder)
		text = afterBlock(text[label+close+len(end):])
	}
	return out.String() + text
}

func afterBlock(text string) string {
	const end, tail = "-----END ", "PRIVATE KEY-----"
	_, rest, found := strings.Cut(text, end)
	if !found {
		return ""
	}
	if close := strings.Index(rest[:min(len(rest), 60)], tail); close >= 0 {
		return rest[close+len(tail):]
	}
	return rest
}
