package httpapi_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/surface/httpapi"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/testservers/zoo"
)

// However a server is broken, the page gets answers: what could be had, or a problem in words; and the frames tell the
// rest.
func TestBrokenServersAreShown(t *testing.T) {
	for _, server := range zoo.Servers() {
		t.Run(server.Name, func(t *testing.T) {
			t.Parallel()
			visit(t, server)
		})
	}
}

func visit(t *testing.T, server zoo.Server) {
	in := view.NewLink{Server: "given", Protocol: "2025-11-25", TimeoutMS: 500}
	if server.Sight.Auto {
		in.Protocol = ""
	}
	var p *page
	if handler := server.HTTPHandler(); handler != nil {
		web := httptest.NewServer(handler)
		t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
		p = newPage(t, &target.Spec{Args: []string{web.URL}}, "")
	} else {
		argv, env := server.Command()
		p = newPage(t, &target.Spec{Command: argv, Env: env}, "")
	}
	l := p.settled(ask[view.Link](p, "POST", "/api/links", in).ID)
	if l.State == view.Failed && (l.Error == nil || l.Error.Message == "") {
		t.Errorf("it failed without a word: %+v", l)
	}
	at := "/api/links/" + l.ID
	p.answered("GET", at+"/list/tools", "")
	status, _, body := p.send("POST", at+"/calls", `{"name":"t","anyway":true,"arguments_json":"{}"}`, nil)
	if status == 200 {
		var c view.Call
		if err := json.Unmarshal([]byte(body), &c); err != nil {
			t.Fatal(err)
		}
		if c = p.ended(l.ID, c.N); c.Verdicts == nil {
			t.Errorf("the call ended without a verdict: %+v", c)
		}
		p.answered("GET", at+"/calls/1/raw", "")
	}
	p.answered("POST", "/api/run/schema-lint", `{"link":"`+l.ID+`"}`)
	for _, f := range ask[view.Frames](p, "GET", at+"/frames?limit=20", nil).Frames {
		p.answered("GET", at+"/frames/"+itoa(f.Seq), "") // a flood may have swept it away meanwhile
	}
	_, _, text := p.send("GET", at+"/export?format=jsonl", "", nil)
	p.answered("GET", at+"/export?format=har", "")
	if strings.TrimSpace(text) != "" {
		ask[view.Link](p, "POST", "/api/transcripts", view.NewTranscript{Name: "again", Text: text})
	}
}

// answered makes a request that may fail, if it says why.
func (p *page) answered(method, path, body string) {
	p.t.Helper()
	status, _, text := p.send(method, path, body, nil)
	var failure httpapi.Failure
	if status/100 != 2 && (json.Unmarshal([]byte(text), &failure) != nil || failure.Error.Message == "") {
		p.t.Errorf("%s %s = %d %.300s, want an answer or a problem in words", method, path, status, text)
	}
}
