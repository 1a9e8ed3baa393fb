package demo

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// FuzzServers sends any line to each server, in each state, and wants the next request answered.
func FuzzServers(f *testing.F) {
	for _, r := range rules() {
		f.Add([]byte(modernRequest("5", r.method, r.params, elicits)))
		f.Add([]byte(`{"jsonrpc":"2.0","id":5,"method":"` + r.method + `","params":{` +
			strings.TrimSuffix(r.params, ",") + `}}`))
	}
	for _, call := range []string{
		`"name":"add","arguments":{"a":1e15,"b":-0.5},`,
		`"name":"price_order","arguments":{"items":[{"article":"lamp","quantity":1}],"coupon":null},`,
		`"name":"audio","arguments":{"hertz":440,"milliseconds":10.0},`,
		`"name":"wait","arguments":{"milliseconds":0,"steps":1e1},`,
		`"name":"ask_user","arguments":{"question":"?"},"requestState":"e30.AA",` +
			`"inputResponses":{"answer":{"action":"accept"}},`,
		`"name":"log","arguments":{"level":"error","text":"\ud800"},`,
	} {
		f.Add([]byte(modernRequest(`"x"`, "tools/call", call, elicits)))
	}
	f.Add([]byte(`[{"jsonrpc":"2.0","id":1,"method":"ping"},7]`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.Contains(line, []byte("wait")) && bytes.Contains(line, []byte("000")) ||
			bytes.Contains(line, []byte("flash")) {
			t.Skip("would only take its time")
		}
		line = bytes.ReplaceAll(line, []byte("\n"), []byte(" "))
		for _, server := range All() {
			for _, first := range []string{initialize(spec.March2025, elicits), initialize(spec.November2025, elicits),
				modernRequest("0", "server/discover", "", elicits)} {
				var out bytes.Buffer
				in := io.MultiReader(strings.NewReader(first+"\n"), bytes.NewReader(line),
					strings.NewReader("\n"+`{"jsonrpc":"2.0","id":"last","method":"ping"}`+"\n"))
				server.Serve(t.Context(), in, &out)
				if !strings.Contains(out.String(), `"id":"last","result":{}`) &&
					!bytes.Contains(line, []byte("last")) && !bytes.Contains(line, []byte("divide")) {
					t.Errorf("%s did not answer after %q:\n%s", server.Name, line, out.String())
				}
			}
		}
	})
}
