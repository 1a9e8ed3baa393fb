package redact

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// minSecret is the length from which a value is redacted wherever it appears. Shorter ones ("1", "true", "info") would
// redact ordinary text without protecting anything.
const minSecret = 6

// Secrets stores values that are known to be secret, because the user provided them as such, and redacts them in any
// text. The zero value and nil contain none. It is safe for concurrent use.
type Secrets struct {
	mu       sync.Mutex
	values   []string
	replacer *strings.Replacer // of values; nil if it must be built
}

// New returns Secrets with the given values.
func New(values ...string) *Secrets {
	s := &Secrets{}
	s.Add(values...)
	return s
}

// Add stores more values. Values shorter than six bytes are ignored.
func (s *Secrets) Add(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, value := range values {
		for _, form := range spellings(value) {
			if !slices.Contains(s.values, form) {
				s.values = append(s.values, form)
				s.replacer = nil
			}
		}
	}
}

// Join also stores the values of other.
func (s *Secrets) Join(other *Secrets) {
	if s == nil || other == nil || s == other {
		return
	}
	other.mu.Lock()
	values := slices.Clone(other.values)
	other.mu.Unlock()
	s.Add(values...)
}

// Text redacts the stored values in text, verbatim and as escaped in JSON strings and URLs, and then everything that
// the function [Text] recognizes.
func (s *Secrets) Text(text string) string { return Text(s.Exact(text)) }

// Exact redacts only the stored values.
func (s *Secrets) Exact(text string) string {
	if s == nil {
		return text
	}
	replacer := s.current()
	if replacer == nil {
		return text
	}
	return replacer.Replace(text)
}

// Header is the function [Header] that also redacts the stored values, in any header.
func (s *Secrets) Header(h http.Header) http.Header {
	clean := Header(h)
	for _, values := range clean {
		for i, value := range values {
			values[i] = s.Exact(value)
		}
	}
	return clean
}

func (s *Secrets) current() *strings.Replacer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.values) == 0 {
		return nil
	}
	if s.replacer == nil {
		s.replacer = newReplacer(s.values)
	}
	return s.replacer
}

// newReplacer puts longer values first: of two values with a common prefix, the longer must win.
func newReplacer(values []string) *strings.Replacer {
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(sorted))
	for _, value := range sorted {
		pairs = append(pairs, value, Placeholder)
	}
	return strings.NewReplacer(pairs...)
}

// spellings lists how a value may appear: verbatim, in a JSON string, in a URL.
func spellings(value string) []string {
	value = strings.TrimSpace(value)
	if len(value) < minSecret || strings.Contains(Placeholder, value) {
		return nil
	}
	return slices.Compact([]string{value, inJSON(value), inPlainJSON(value), url.QueryEscape(value),
		url.PathEscape(value)})
}

func inJSON(value string) string {
	quoted, err := json.Marshal(value)
	if err != nil {
		return value
	}
	return string(quoted[1 : len(quoted)-1])
}

// inPlainJSON encodes a value like encoders that do not escape <, > and &.
func inPlainJSON(value string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(inJSON(value))
}
