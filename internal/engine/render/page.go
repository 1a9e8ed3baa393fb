package render

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/web"
)

// A page is the document of the host. It is served under an unguessable path of a port of its own.
type page struct {
	server *http.Server
	origin string
	path   string
}

// A viewRequest is a request of the view for its server.
type viewRequest struct {
	Method     string `json:"method"`
	ParamsJSON string `json:"params_json"`
}

// A viewReply is the reply to it.
type viewReply struct {
	ResultJSON string `json:"result_json,omitempty"`
	ErrorJSON  string `json:"error_json,omitempty"`
}

const maxRequest = 4 << 20

// servePage serves the page of the host, which may show frames of one origin. The caller must close it.
func servePage(frames string, answer func(context.Context, viewRequest) viewReply) (*page, error) {
	var script, style string
	for _, part := range web.Parts() {
		switch {
		case strings.HasPrefix(part, "/headless-"):
			script = part
		case strings.HasPrefix(part, "/main-") && strings.HasSuffix(part, ".css"):
			style = part
		}
	}
	if script == "" {
		return nil, errors.New("this build of mcptest does not include the page")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &page{origin: "http://" + listener.Addr().String(), path: "/" + rand.Text()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+p.path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src "+
			"'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; frame-src "+frames)
		fmt.Fprintf(w, "<!doctype html>\n<meta charset=\"utf-8\">\n<title>mcptest app</title>\n<link rel=\"stylesheet\" "+
			"href=\"%s\">\n<body>\n<div id=\"place\"></div>\n<script type=\"module\" src=\"%s\"></script>\n", style, script)
	})
	mux.HandleFunc("POST "+p.path+"/requests", func(w http.ResponseWriter, r *http.Request) {
		var in viewRequest
		if r.Header.Get("Origin") != p.origin || json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&in) != nil {
			http.Error(w, "bad request", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer(r.Context(), in)) // the browser has disconnected
	})
	mux.Handle("/", web.Handler())
	p.server = netguard.Server(mux)
	go func() { _ = p.server.Serve(listener) }() // ends with close
	return p, nil
}

func (p *page) close() { _ = p.server.Close() }
