package serve

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// ReadBody returns the JSON body of a POST from a client that accepts both response types.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "Content-Type must be application/json", http.StatusUnsupportedMediaType)
		return nil, false
	}
	if !accepts(r.Header, "application/json") || !accepts(r.Header, "text/event-stream") {
		http.Error(w, "Accept must list application/json and text/event-stream", http.StatusNotAcceptable)
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxMessage))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		WriteReply(w, http.StatusRequestEntityTooLarge, Failure(nil, TooLong()))
		return nil, false
	case err != nil:
		http.Error(w, "cannot read the body", http.StatusBadRequest)
		return nil, false
	}
	return body, true
}

// accepts reports whether the client accepts the media type.
func accepts(h http.Header, kind string) bool {
	major, _, _ := strings.Cut(kind, "/")
	for _, value := range h.Values("Accept") {
		for part := range strings.SplitSeq(value, ",") {
			name, _, _ := strings.Cut(part, ";")
			switch strings.ToLower(strings.TrimSpace(name)) {
			case kind, major + "/*", "*/*":
				return true
			}
		}
	}
	return false
}
