package schema

import "fmt"

// Limits limit the cost of one schema and one value. The zero value of a field means its default.
type Limits struct {
	Bytes      int // size of a schema; default 1 MiB
	Depth      int // nesting of objects and arrays in a schema; default 64
	Subschemas int // subschemas in a schema; default 3,000
	Expansion  int // subschemas that apply to the same value once $ref and allOf are followed; default 10,000
	Patterns   int // cost of all patterns together, about one per character; default 50,000
	Work       int // steps of one validation, about a microsecond each; default 100,000
	ValueBytes int // size of a value to validate; default 32 MiB
	ValueDepth int // nesting of a value; default 256
}

// withDefaults fills the zero fields. A nil receiver means all defaults.
func (l *Limits) withDefaults() Limits {
	var given Limits
	if l != nil {
		given = *l
	}
	or := func(field *int, fallback int) {
		if *field == 0 {
			*field = fallback
		}
	}
	or(&given.Bytes, 1<<20)
	or(&given.Depth, MaxDepth)
	or(&given.Subschemas, 3_000)
	or(&given.Expansion, 10_000)
	or(&given.Patterns, 50_000)
	or(&given.Work, 100_000)
	or(&given.ValueBytes, 32<<20)
	or(&given.ValueDepth, 256)
	return given
}

// Numbers longer than this, in digits or in exponent, would be expanded digit by digit; 1e1000000000 is 12 bytes.
const (
	maxDigits   = 4_000
	maxExponent = 4_000
)

// A prescanned is what prescan counts in a document.
type prescanned struct {
	candidates int // objects and booleans, which could be subschemas
	values     int // an upper bound of all values
}

// prescan is linear and needs no stack. It runs before anything recursive does, and rejects documents that are
// nested too deep or contain numbers that are too long.
func prescan(doc []byte, maxDepth int) (counts prescanned, err error) {
	depth := 0
	counts.values = 1
	for i := 0; i < len(doc); {
		switch c := doc[i]; {
		case c == '"':
			if i = skipString(doc, i); i < 0 {
				return counts, &SyntaxError{len(doc), "the end of a string"}
			}
			continue
		case c == '{' || c == '[':
			if c == '{' {
				counts.candidates++
			}
			counts.values++
			if depth++; depth > maxDepth {
				return counts, fmt.Errorf("nested more than %d levels deep", maxDepth)
			}
		case c == '}' || c == ']':
			depth--
		case c == ',':
			counts.values++
		case c == '-' || c >= '0' && c <= '9':
			end := skipScalar(doc, i)
			if !modest(doc[i:end]) {
				return counts, fmt.Errorf("the number at offset %d is too long", i)
			}
			i = end
			continue
		case c == 't' || c == 'f':
			counts.candidates++
			i = skipScalar(doc, i)
			continue
		}
		i++
	}
	return counts, nil
}

// modest reports whether exact computation with a number is cheap.
func modest(number []byte) bool {
	if len(number) > maxDigits {
		return false
	}
	exponent, inExponent := 0, false
	for _, c := range number {
		switch {
		case c == 'e' || c == 'E':
			inExponent = true
		case inExponent && c >= '0' && c <= '9':
			if exponent = exponent*10 + int(c-'0'); exponent > maxExponent {
				return false
			}
		}
	}
	return true
}
