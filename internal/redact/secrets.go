package redact

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// minSecret is the length from which a value is scrubbed wherever it appears. Shorter ones ("1", "true", "info") would
// blank out ordinary text and keep nobody out.
const minSecret = 6

// Secrets remembers values that are known to be secret, because the user gave them as such, and scrubs them from any
// text. The zero value and nil know none. It may be used from many goroutines.
type Secrets struct {
	mu       sync.Mutex
	values   []string
	replacer *strings.Replacer // of values; nil when it has to be built
}

// New returns Secrets that know the given values.
func New(values ...string) *Secrets {
	s := &Secrets{}
	s.Add(values...)
	return s
}

// Add remembers more values. Those shorter than six bytes are not remembered.
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

// Join remembers what other knows, too.
func (s *Secrets) Join(other *Secrets) {
	if s == nil || other == nil || s == other {
		return
	}
	other.mu.Lock()
	values := slices.Clone(other.values)
	other.mu.Unlock()
	s.Add(values...)
}

// Text scrubs the remembered values from text, as they are and as JSON strings and URLs spell them, and then whatever
// the function [Text] recognises.
func (s *Secrets) Text(text string) string { return Text(s.Exact(text)) }

// Exact scrubs the remembered values alone.
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

// Header is the function [Header] with the remembered values scrubbed as well, whatever the header is called.
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

// newReplacer puts longer values first: of two that begin alike the longer has to win.
func newReplacer(values []string) *strings.Replacer {
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(sorted))
	for _, value := range sorted {
		pairs = append(pairs, value, Placeholder)
	}
	return strings.NewReplacer(pairs...)
}

// spellings lists how a value may appear: as it is, inside a JSON string, inside a URL.
func spellings(value string) []string {
	value = strings.TrimSpace(value)
	if len(value) < minSecret || strings.Contains(Placeholder, value) {
		return nil
	}
	return slices.Compact([]string{value, inJSON(value), inPlainJSON(value), url.QueryEscape(value), url.PathEscape(value)})
}

func inJSON(value string) string {
	quoted, err := json.Marshal(value)
	if err != nil {
		return value
	}
	return string(quoted[1 : len(quoted)-1])
}

// inPlainJSON spells a value as encoders do that leave <, > and & alone.
func inPlainJSON(value string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(inJSON(value))
}
