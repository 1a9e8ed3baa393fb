package tap

import "bytes"

// An eventCutter finds where server-sent events end in a stream that arrives in parts.
type eventCutter struct{ tail []byte } // the last bytes of the event so far

// maxEnd is the length of the longest end of an event.
const maxEnd = len("\r\n\r\n")

// cut returns how many bytes of a part belong to the current event, and whether it ends there.
func (c *eventCutter) cut(part []byte) (n int, ended bool) {
	seam := append(c.tail, part[:min(len(part), maxEnd-1)]...)
	n = eventEnd(part)
	if at := eventEnd(seam) - len(c.tail); at > 0 && (n < 0 || at < n) {
		n = at
	}
	if n >= 0 {
		c.tail = nil
		return n, true
	}
	if seam = part; len(part) < maxEnd {
		seam = append(c.tail, part...)
	}
	c.tail = bytes.Clone(seam[max(0, len(seam)-maxEnd+1):])
	return len(part), false
}

// eventEnd returns the offset after the first empty line; -1 if there is none.
func eventEnd(p []byte) int {
	first := -1
	for _, mark := range []string{"\n\n", "\r\n\r\n", "\r\r"} {
		if at := bytes.Index(p, []byte(mark)); at >= 0 {
			first = at + len(mark)
			p = p[:first]
		}
	}
	return first
}
