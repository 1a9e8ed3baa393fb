package httpapi_test

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// A12: the secrets that a server is given are in nothing that leaves the process, whatever the server does with them.
func TestA12SecretsAreInNoAnswer(t *testing.T) {
	const canary = "c4n4ry-s3cr3t-value-0815"
	argv, _ := self(t)
	p := newPage(t, nil, "")
	spawned := ask[view.Server](p, "POST", "/api/servers",
		view.NewServer{Name: "spawned", Command: append(argv, "--api-key", canary),
			Env: []string{"CANARY=" + canary}})
	ask[view.Server](p, "POST", "/api/approvals", map[string]string{"hash": spawned.Approval.Hash})
	web, _ := p.answering(func(mcp.Message) string {
		return `{"content":[{"type":"text","text":"you sent ` + canary +
			`"}]}`
	})
	address := p.server("scripted").URL
	_ = web
	reached := ask[view.Server](p, "POST", "/api/servers",
		view.NewServer{Name: "reached", URL: address + "/?api_key=" + canary,
			Header: []string{"X-Api-Key: " + canary, "Authorization: Bearer " + canary}})
	failing := ask[view.Server](p, "POST", "/api/servers",
		view.NewServer{Name: "failing", URL: "http://127.0.0.1:1/?token=" + canary,
			Header: []string{"Authorization: Bearer " + canary}})
	var seen []string
	look := func(path string) {
		_, header, body := p.send("GET", path, "", nil)
		seen = append(seen, path)
		if strings.Contains(body+strings.Join(dump(header), "\n"), canary) {
			t.Errorf("GET %s holds the secret: %.2000s", path, body)
		}
	}
	for _, s := range []view.Server{spawned, reached} {
		l := p.connect(view.NewLink{Server: s.ID})
		c := p.call(l.ID, view.NewCall{Name: "go"})
		if !c.OK {
			t.Fatalf("%s: %+v", s.Name, c.Verdicts)
		}
		for _, path := range []string{"", "/stderr", "/stderr/lines", "/logs", "/export?format=jsonl",
			"/export?format=har", "/calls", "/calls/1/copy?as=mcptest", "/calls/1/copy?as=curl",
			"/calls/1/copy?as=suite", "/calls/1/copy?as=jsonrpc"} {
			look("/api/links/" + l.ID + path)
		}
		for _, f := range ask[view.Frames](p, "GET", "/api/links/"+l.ID+"/frames", nil).Frames {
			detail := ask[view.FrameDetail](p, "GET", "/api/links/"+l.ID+"/frames/"+itoa(f.Seq), nil)
			for _, h := range detail.Header {
				if strings.Contains(h.Value, canary) {
					t.Errorf("frame %d: the header %s holds the secret", f.Seq, h.Name)
				}
			}
		}
	}
	l := ask[view.Link](p, "POST", "/api/links", view.NewLink{Server: failing.ID})
	if l = p.settled(l.ID); l.State != view.Failed {
		t.Fatalf("a server that is not there is %s", l.State)
	}
	for _, path := range []string{"/api/servers", "/api/servers/export", "/api/links", "/api/links/" + l.ID} {
		look(path)
	}
	if len(seen) < 20 {
		t.Errorf("%d answers were looked at, want 20 or more", len(seen))
	}
}
