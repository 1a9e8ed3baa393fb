package inspector

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A gateway is asked at /status with the token and the query; what is wrong with its answer is told, and a redirect
// gets no token.
func TestGateway(t *testing.T) {
	elsewhere := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	defer other.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Query().Get("q") {
		case "away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "html":
			_, _ = w.Write([]byte("<html>"))
		default:
			if r.Header.Get("Authorization") != "Bearer right" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			_, _ = w.Write([]byte(`{"total":9007199254740993}`))
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	i := New(&workbench.Workbench{Secrets: &redact.Secrets{}}, Options{})
	got, err := i.Gateway(t.Context(), view.GatewayInput{URL: server.URL + "/mcp", Token: "right"})
	if err != nil || got.StatusJSON != `{"total":9007199254740993}` {
		t.Errorf("got %+v, %v; want the status as it came", got, err)
	}
	for _, c := range []struct {
		in   view.GatewayInput
		kind string
	}{
		{view.GatewayInput{URL: server.URL, Token: "wrong"}, view.KindAuth},
		{view.GatewayInput{URL: server.URL, Query: "away", Token: "right"}, view.KindUnreachable},
		{view.GatewayInput{URL: server.URL, Query: "html"}, view.KindUnreachable},
		{view.GatewayInput{URL: "file:///etc/passwd"}, view.KindUsage},
		{view.GatewayInput{URL: "http://127.0.0.1:1/mcp"}, view.KindUnreachable},
	} {
		_, err := i.Gateway(t.Context(), c.in)
		var problem *view.Problem
		if !errors.As(err, &problem) || problem.Kind != c.kind || problem.Hint == "" {
			t.Errorf("%+v: %v, want a problem of kind %s with a hint", c.in, err, c.kind)
		}
	}
	if elsewhere != 0 {
		t.Error("a redirect was followed")
	}
}
