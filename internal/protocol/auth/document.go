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

// read decodes a JSON object. Names are taken as they are written and may stand there once: what two readers could take
// for two things is refused.
func read(body []byte, into any) error {
	if trimmed := bytes.TrimSpace(body); len(trimmed) == 0 || trimmed[0] != '{' {
		return fmt.Errorf("it is no JSON object: %.60q", trimmed)
	}
	return json.Unmarshal(body, into, jsontext.AllowInvalidUTF8(false))
}

// firstOf reads the places in turn until one has a document. A final error ends that; of the others the first is returned
// if no place has one. It returns nil and no error if there is nothing anywhere.
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

// noteType remarks on a document that is not announced as JSON.
func noteType(s *Step, answer *Answer) {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if kind != "application/json" && !strings.HasSuffix(kind, "+json") {
		s.note("Content-Type is %q; want application/json", answer.Header.Get("Content-Type"))
	}
}

// missing reports statuses that say that there is nothing at a place.
func missing(status int) bool {
	return status == http.StatusNotFound || status == http.StatusGone || status == http.StatusMethodNotAllowed ||
		status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusBadRequest
}

// absent marks the step as one that found nothing, and returns no error: there are other places.
func (s *Step) absent() error {
	s.State, s.Result = Absent, fmt.Sprintf("nothing here (HTTP %d)", s.Answer.Status)
	noteClosed(s)
	return nil
}

// noteClosed remarks on metadata that wants a token itself.
func noteClosed(s *Step) {
	if s.Answer.Status == http.StatusUnauthorized || s.Answer.Status == http.StatusForbidden {
		s.note("metadata has to be readable without a token; does something in front of the server protect this path, too?")
	}
}

// list joins a list for people.
func list(values []string) string {
	if len(values) == 0 {
		return "none"
	}
	return strings.Join(values, " ")
}
