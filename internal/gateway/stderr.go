package gateway

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

// How many stderr lines are listed by default, and how long one may be.
const (
	stderrLines   = 100
	stderrLineMax = 4 << 10
)

// A stderrLine is a line of stderr output of a server, without secrets.
type stderrLine struct {
	Time    time.Time `json:"time"`
	Server  string    `json:"server"`
	Process string    `json:"process"`
	Traces  []string  `json:"traces,omitempty"` // calls in progress when it was written
	Text    string    `json:"text"`
}

// showStderr handles GET /status/stderr: the last stderr output of servers.
func (r *gatewayRun) showStderr(w http.ResponseWriter, req *http.Request) {
	query := req.URL.Query()
	count, ok := r.statusRequest(w, req, "lines", stderrLines)
	if !ok {
		return
	}
	lines := []stderrLine{}
	found := query.Get("server") == ""
	for _, h := range r.back.Health() {
		if name := query.Get("server"); name == "" || name == h.Server {
			found = true
			lines = append(lines, r.stderrOf(h.Server, query.Get("trace"), count)...)
		}
	}
	if !found {
		http.Error(w, "there is no server "+strconv.Quote(query.Get("server"))+"; GET /status lists them",
			http.StatusNotFound)
		return
	}
	slices.SortStableFunc(lines, func(a, b stderrLine) int { return a.Time.Compare(b.Time) })
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	// a disconnected client misses it
	_ = enc.Encode(map[string]any{"lines": lines[max(0, len(lines)-count):]})
}

func (r *gatewayRun) stderrOf(server, trace string, count int) []stderrLine {
	log := r.back.Stderr(server)
	if log == nil { // it was removed meanwhile
		return nil
	}
	var lines []stderrLine
	for _, l := range log.Lines(trace, count) {
		lines = append(lines, stderrLine{l.Time, server, l.Process, l.Traces,
			clip.Head(r.w.Secrets.Text(l.Text), stderrLineMax)})
	}
	return lines
}

// statusRequest checks who requests a status, and returns a number of the query. If it returns false, the request has
// a response.
func (r *gatewayRun) statusRequest(w http.ResponseWriter, req *http.Request, name string, fallback int) (int, bool) {
	if caller := r.door.caller(callerOf(req)); caller == nil || !caller.Manage {
		http.Error(w, "Forbidden: the status requires a caller with \"manage\"", http.StatusForbidden)
		return 0, false
	}
	w.Header().Set("Cache-Control", "no-store")
	if text := req.URL.Query().Get(name); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			http.Error(w, "invalid value "+strconv.Quote(text)+" for "+name+": expected the number of "+name+
				" to list", http.StatusBadRequest)
			return 0, false
		}
		fallback = n
	}
	w.Header().Set("Content-Type", "application/json")
	return fallback, true
}
