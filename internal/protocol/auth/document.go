package auth

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// read decodes a JSON object. Names are case-sensitive and must be unique: a document that two parsers could
// read differently is rejected.
func read(body []byte, into any) error {
	if trimmed := bytes.TrimSpace(body); len(trimmed) == 0 || trimmed[0] != '{' {
		return fmt.Errorf("not a JSON object: %.60q", trimmed)
	}
	return json.Unmarshal(body, into, jsontext.AllowInvalidUTF8(false))
}

// firstOf reads the URLs in turn until one has a document. A final error stops that; of the others the first is
// returned if no URL has one. It returns nil and no error if there is no document.
func firstOf[T any](places []string, read func(place string) (found *T, final bool, err error)) (*T, error) {
	var wrong error
	for _, place := range places {
		found, final, err := read(place)
		switch {
		case err == nil && found != nil:
			return found, nil
		case final:
			return nil, err
		case err != nil && wrong == nil:
			wrong = err
		}
	}
	return nil, wrong
}

// noteType adds a note about a document without a JSON content type.
func noteType(s *Step, answer *Response) {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if kind != "application/json" && !strings.HasSuffix(kind, "+json") {
		s.note("Content-Type: got %q, expected application/json", answer.Header.Get("Content-Type"))
	}
}

// missing reports whether a status means that there is nothing at a URL.
func missing(status int) bool {
	return status == http.StatusNotFound || status == http.StatusGone || status == http.StatusMethodNotAllowed ||
		status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusBadRequest
}

// absent marks the step as one that found nothing, and returns no error: there are other URLs.
func (s *Step) absent() error {
	s.State, s.Result = Absent, fmt.Sprintf("not found (HTTP %d)", s.Answer.Status)
	noteClosed(s)
	return nil
}

// noteClosed adds a note about metadata that requires a token.
func noteClosed(s *Step) {
	if s.Answer.Status == http.StatusUnauthorized || s.Answer.Status == http.StatusForbidden {
		s.note("metadata must be readable without a token; check whether a proxy in front of the server protects " +
			"this path")
	}
}

// list joins a list for display.
func list(values []string) string {
	if len(values) == 0 {
		return "none"
	}
	return strings.Join(values, " ")
}
