package conform

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// lastSession serves requests without a session ID in the last session that a client opened. shown is the ID in the response.
func lastSession(shown func(last string) string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		var mu sync.Mutex
		last := ""
		s.Web = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				mu.Lock()
				used := last
				mu.Unlock()
				opens := bytes.Contains(body, []byte(`"initialize"`))
				borrows := !opens && used != "" && r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" &&
					bytes.Contains(body, []byte(`"ping"`))
				if borrows {
					r.Header.Set("Mcp-Session-Id", used)
				}
				next.ServeHTTP(&changedWriter{ResponseWriter: w, head: func(h http.Header, status int) int {
					if id := h.Get("Mcp-Session-Id"); opens && id != "" {
						mu.Lock()
						last = id
						mu.Unlock()
					}
					if id := shown(used); borrows && id != "" {
						h.Set("Mcp-Session-Id", id)
					}
					return status
				}}, r)
			})
		}
	}
}

// TestNoOtherSession checks that HTTP-050 finds nothing in servers that serve requests without a session ID on their own.
func TestNoOtherSession(t *testing.T) {
	t.Parallel()
	for name, defect := range map[string]func(*exemplar.Server){
		"shows no session": lastSession(func(string) string { return "" }),
		"new session":      lastSession(func(string) string { return "a-new-one" }),
		"one for all":      oneSession,
		"rejects":          func(*exemplar.Server) {},
	} {
		out, err := judged(t, mutant{defect: defect}.target(t, "HTTP-050", OnHTTP), calm("2025-11-25", "HTTP-050"))
		if err != nil {
			t.Fatal(err)
		}
		if found := out.Report.Findings(); len(found) > 0 {
			t.Errorf("%s: %s", name, shown(found))
		}
	}
}
