package rawjson

// Nesting returns how many brackets a text leaves open, and the maximum nesting depth.
func Nesting(text []byte) (open, deepest int) {
	open, deepest, _ = scan(text, len(text))
	return open, deepest
}

// DeeperThan finds the bracket at which a text exceeds the nesting limit.
func DeeperThan(text []byte, limit int) (at int, deeper bool) {
	_, deepest, at := scan(text, limit)
	return at, deepest > limit
}

// scan counts brackets until more than limit are open, and returns where it stopped. It looks only at brackets
// and strings and needs no stack, so that no text can exhaust one.
func scan(text []byte, limit int) (open, deepest, at int) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case '{', '[':
			if open++; open > deepest {
				if deepest = open; deepest > limit {
					return open, deepest, i
				}
			}
		case '}', ']':
			open--
		}
	}
	return open, deepest, len(text)
}

// endOfString returns the offset of the closing quote of the string that starts at i; the end of the text if it
// has none.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
