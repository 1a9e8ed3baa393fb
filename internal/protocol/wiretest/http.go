package wiretest

import (
	"io"
	"net/http"
	"strconv"
	"strings"
)

// ServeHTTP plays the script over HTTP. A POST is handled by the rule of its method, a method without a rule
// gets 202, and a GET or DELETE without one gets 405.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client disconnected
	}
	m := readMessage(body)
	if r.Method != http.MethodPost {
		m = readMessage(nil) // whatever its body is, it is not a JSON-RPC message
		m.Method = r.Method
	}
	m.Header = r.Header.Clone()
	n := s.note(m)
	steps := s.script.stepsFor(m.Method, n, m.isRequest())
	if steps == nil {
		status := http.StatusAccepted
		if r.Method != http.MethodPost {
			status = http.StatusMethodNotAllowed
		}
		w.WriteHeader(status)
		return
	}
	out := &response{w: w}
	s.play(r.Context(), m, n, steps, out)
	out.begin()
}

// A response is the output of one HTTP exchange.
type response struct {
	w      http.ResponseWriter
	status int
	sse    bool
	begun  bool
}

// begin sends the header, once.
func (r *response) begin() {
	if r.begun {
		return
	}
	r.begun = true
	header := r.w.Header()
	if header.Get("Content-Type") == "" && r.sse {
		header.Set("Content-Type", "text/event-stream")
	}
	if r.status == 0 {
		r.status = http.StatusOK
	}
	r.w.WriteHeader(r.status)
	_ = http.NewResponseController(r.w).Flush()
}

func (r *response) message(text string) {
	if r.sse {
		r.bytes("data: " + text + "\n\n")
		return
	}
	if r.w.Header().Get("Content-Type") == "" {
		r.w.Header().Set("Content-Type", "application/json")
	}
	r.bytes(text)
}

func (r *response) bytes(text string) {
	r.begin()
	_, _ = io.WriteString(r.w, text)
	_ = http.NewResponseController(r.w).Flush()
}

func (r *response) other(st step) {
	switch st.verb {
	case "status":
		r.status, _ = strconv.Atoi(st.text)
	case "header":
		name, value, _ := strings.Cut(st.text, ":")
		r.w.Header().Set(name, strings.TrimSpace(value))
	case "sse":
		r.sse = true
		r.begin()
	case "cut":
		panic(http.ErrAbortHandler) // net/http resets the connection
	}
}
