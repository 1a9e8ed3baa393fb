package frontend

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A viewer is a server with a view. Every viewer has the same URIs; the contents name the viewer.
type viewer struct {
	name string

	mu   sync.Mutex
	talk *talk
	seen []string // the URIs that it was asked for
}

// viewerAnswers are its results by method; NAME stands for the viewer.
var viewerAnswers = map[string]string{
	"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{},` +
		`"resources":{"subscribe":true},"completions":{}},"serverInfo":{"name":"v","version":"1"}}`,
	"tools/list": `{"tools":[{"name":"show","inputSchema":{"type":"object"},` +
		`"_meta":{"ui":{"resourceUri":"ui://w/app.html","visibility":["model"]},` +
		`"ui/resourceUri":"ui://w/app.html","openai/outputTemplate":"ui://w/app.html","com.example/x":"ui://kept"}}]}`,
	"resources/list": `{"resources":[{"uri":"ui://w/app.html","name":"app",` +
		`"mimeType":"text/html;profile=mcp-app","_meta":{"ui":{"csp":{}}}}]}`,
	"resources/templates/list": `{"resourceTemplates":[{"uriTemplate":"file:///{path}","name":"files"}]}`,
	"prompts/list":             `{"prompts":[{"name":"p"}]}`,
	"prompts/get": `{"messages":[{"role":"user","content":{"type":"resource",` +
		`"resource":{"uri":"ui://w/app.html","text":"NAME"}}}]}`,
	"tools/call": `{"content":[{"type":"text","text":"ui://w/app.html"},{"type":"resource_link",` +
		`"uri":"ui://w/app.html","name":"app"},` +
		`{"type":"resource","resource":{"uri":"ui://w/app.html","text":"NAME"}}],` +
		`"structuredContent":{"uri":"ui://w/app.html","n":1.0}}`,
	"completion/complete": `{"completion":{"values":["NAME"]}}`,
}

func (v *viewer) serve(_ context.Context, in io.Reader, out io.Writer) error {
	talk := newTalk(out)
	v.mu.Lock()
	v.talk = talk
	v.mu.Unlock()
	return talk.listen(in, func(method string, m map[string]json.RawMessage) {
		params := serve.Members(m["params"])
		uri := serve.Text(params["uri"]) + serve.Text(serve.Members(params["ref"])["uri"])
		v.mu.Lock()
		v.seen = append(v.seen, uri)
		v.mu.Unlock()
		reply := `"result":` + viewerAnswers[method]
		switch {
		case m["id"] == nil:
			return
		case method == "server/discover":
			reply = `"error":{"code":-32601,"message":"no"}`
		case method == "resources/read" && strings.Contains(uri, "none"):
			reply = `"error":{"code":-32002,"message":"no","data":{"uri":"` + uri + `"}}`
		case method == "resources/read":
			reply = `"result":{"contents":[{"uri":"` + uri + `","text":"NAME"}]}`
		case viewerAnswers[method] == "":
			reply = `"result":{}`
		}
		talk.say(`{"jsonrpc":"2.0","id":` + string(m["id"]) + `,` + strings.ReplaceAll(reply, "NAME", v.name) + `}`)
	})
}

// lastURI is the URI that the viewer was last asked for.
func (v *viewer) lastURI() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := len(v.seen) - 1; i >= 0; i-- {
		if v.seen[i] != "" {
			return v.seen[i]
		}
	}
	return ""
}

// Two servers with resources of the same URI: each is read from its own server, and every reference leads there.
func TestResourcesKeepTheirServer(t *testing.T) {
	a, b := &viewer{name: "a"}, &viewer{name: "b"}
	r := newRig(t, All, nil, map[string]wire.Target{"a": {Serve: a.serve}, "b": {Serve: b.serve}})
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", mcp.Options{})
		answer := func(method, params string) string {
			t.Helper()
			ex, err := s.Call(t.Context(), method, raw(params))
			if err != nil {
				t.Fatal(err)
			}
			if ex.Reply.Error != nil {
				return ex.Reply.Error.Error() + string(ex.Reply.Error.Data)
			}
			return string(ex.Reply.Result)
		}
		eventually(t, "the lists", func() bool {
			return strings.Count(answer("resources/list", `{}`),
				"#gateway=") == 2
		})
		for _, viewer := range []*viewer{a, b} {
			name := viewer.name
			uri := "ui://w/app.html#gateway=" + name
			for _, step := range []struct{ method, params, want string }{
				{"tools/list", `{}`, `"_meta":{"ui":{"resourceUri":"` + uri +
					`","visibility":["model"]},"ui/resourceUri":"` + uri + `","openai/outputTemplate":"` + uri +
					`","com.example/x":"ui://kept"}`},
				{"resources/list", `{}`, `{"uri":"` + uri +
					`","name":"app","mimeType":"text/html;profile=mcp-app","_meta":{"ui":{"csp":{}}}}`},
				{"resources/templates/list", `{}`, `"uriTemplate":"file:///{path}#gateway=` + name + `"`},
				{"resources/read", `{"uri":"` + uri + `"}`, `[{"uri":"` + uri + `","text":"` + name + `"}]`},
				{"resources/read", `{"uri":"file:///x/y#gateway=` + name + `"}`,
					`[{"uri":"file:///x/y#gateway=` + name + `","text":"` + name + `"}]`},
				{"resources/read", `{"uri":"file:///none#gateway=` + name + `"}`,
					`{"uri":"file:///none#gateway=` + name + `"}`},
				{"prompts/get", `{"name":"` + name + `__p"}`,
					`{"type":"resource","resource":{"uri":"` + uri + `","text":"` + name + `"}}`},
				{"tools/call", `{"name":"` + name + `__show","arguments":{}}`,
					`[{"type":"text","text":"ui://w/app.html"},{"type":"resource_link","uri":"` + uri +
						`","name":"app"},{"type":"resource","resource":{"uri":"` + uri + `","text":"` + name +
						`"}}],"structuredContent":{"uri":"ui://w/app.html","n":1.0}`},
				{"completion/complete", `{"ref":{"type":"ref/resource","uri":"file:///{path}#gateway=` + name +
					`"},"argument":{"name":"path","value":""}}`, `["` + name + `"]`},
			} {
				if got := answer(step.method, step.params); !strings.Contains(got, step.want) {
					t.Errorf("%s: %s(%s) = %s\nwant %s", protocol, step.method, step.params, got, step.want)
				}
			}
			if got := viewer.lastURI(); got != "file:///{path}" {
				t.Errorf("%s: the server %s was asked about %s, want its own URI", protocol, name, got)
			}
		}
		if got := answer("resources/read", `{"uri":"ui://w/app.html"}`); !strings.Contains(got, "several servers") ||
			!strings.Contains(got, "#gateway=b") {
			t.Errorf("%s: a URI of two servers: %s", protocol, got)
		}
		if got := answer("resources/read", `{"uri":"file:///x#gateway=gone"}`); !strings.Contains(got, "not found") {
			t.Errorf("%s: a URI of a server that is not there: %s", protocol, got)
		}
		sub, err := s.Listen(t.Context(), mcp.Filter{URIs: []string{"ui://w/app.html#gateway=b"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []*viewer{a, b} {
			v.mu.Lock()
			v.talk.say(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"ui://w/app.html"}}`)
			v.mu.Unlock()
		}
		ctx, cancel := context.WithTimeout(t.Context(), hang)
		m, ok, err := sub.Next(ctx)
		if !ok || err != nil || serve.Text(serve.Members(m.Params)["uri"]) != "ui://w/app.html#gateway=b" {
			t.Errorf("%s: heard %s (%v)", protocol, m.Params, err)
		}
		cancel()
		sub.Close()
	}
}
