package conform

import (
	"net/http"

	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

func httpMutants() map[string][]mutant {
	return map[string][]mutant{
		"HTTP-002": {{name: "200", defect: status(http.StatusAccepted, http.StatusOK)}},
	}
}

// status answers with another status than the clean server.
func status(from, to int) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Web = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				next.ServeHTTP(&otherStatus{w, from, to}, r)
			})
		}
	}
}

type otherStatus struct {
	http.ResponseWriter
	from, to int
}

func (w *otherStatus) WriteHeader(status int) {
	if status == w.from {
		status = w.to
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *otherStatus) Unwrap() http.ResponseWriter { return w.ResponseWriter }
