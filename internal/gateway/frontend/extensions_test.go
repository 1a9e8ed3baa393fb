package frontend

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// appServer has a view, a skill, and a tool that is only for the view. It offers them in the given revisions.
func appServer(revisions ...string) wire.Target {
	s := &exemplar.Server{}
	s.Plan = func(f *exemplar.Features) {
		f.Revisions = revisions
		f.Capabilities["extensions"] = strings.Replace(f.Capabilities["extensions"], `{`,
			`{"io.modelcontextprotocol/ui":{},`, 1)
	}
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			reply := next(c)
			if c.Method == "tools/list" {
				reply = []byte(strings.Replace(string(reply), `{"name":"count",`,
					`{"name":"count","_meta":{"ui":{"visibility":["app"]}},`, 1))
			}
			return reply
		}
	}
	return wire.Target{Serve: s.Serve}
}

// extended connects a client with extensions.
func (r *rig) extended(t *testing.T, protocol string, extensions map[string]json.RawMessage) *mcp.Session {
	t.Helper()
	return r.dial(t, protocol, "ada", mcp.Options{Extensions: extensions})
}

func extensionsOf(s *mcp.Session) map[string]json.RawMessage {
	all := serve.Members(serve.Members(s.Capabilities)["extensions"])
	delete(all, mcp.TasksExtension)
	return all
}

// The gateway declares what the client declares and a server offers, and nothing else.
func TestExtensionsOfServersArePassed(t *testing.T) {
	for name, revisions := range map[string][]string{"legacy": {"2025-11-25"}, "modern": {"2026-07-28"}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, All, nil, map[string]wire.Target{"a": appServer(revisions...), "plain": inProcess(&toy{})})
			eventually(t, "both servers", func() bool { return len(r.view.Load().resources) > 0 })
			for _, protocol := range []string{spec.NewestLegacy, spec.July2026} {
				all := extensionsOf(r.extended(t, protocol, mcp.AllExtensions()))
				if string(all[mcp.AppsExtension]) != `{}` || string(all[mcp.SkillsExtension]) != `{"directoryRead":true}` ||
					len(all) != 2 {
					t.Errorf("%s: declared %s", protocol, all)
				}
				one := extensionsOf(r.extended(t, protocol, map[string]json.RawMessage{mcp.AppsExtension: mcp.AppsSettings}))
				if len(one) != 1 || one[mcp.AppsExtension] == nil {
					t.Errorf("%s: declared %s to a client that knows views only", protocol, one)
				}
				if none := extensionsOf(r.extended(t, protocol, nil)); len(none) != 0 {
					t.Errorf("%s: declared %s to a client without extensions", protocol, none)
				}
			}
		})
	}
}

// Tools that are only for views are listed for clients that show views, and are never found by a model. Views call them
// by the names of their server.
func TestToolsOfViews(t *testing.T) {
	for _, expose := range []string{All, Meta, Both, Auto} {
		t.Run(expose, func(t *testing.T) {
			r := newRig(t, expose, nil, map[string]wire.Target{"a": appServer("2025-11-25", "2026-07-28")})
			eventually(t, "the server", func() bool { return r.view.Load().byTool["a__count"] != nil })
			for _, protocol := range []string{spec.NewestLegacy, spec.July2026} {
				host, other := r.extended(t, protocol, mcp.AllExtensions()), r.extended(t, protocol, nil)
				if got := listsTool(t, host, "a__count"); got != (expose != Meta) {
					t.Errorf("%s: listed for a client that shows views: %v", protocol, got)
				}
				if listsTool(t, other, "a__count") {
					t.Errorf("%s: listed for a client that shows no views", protocol)
				}
				if expose != Meta && !listsTool(t, other, "a__echo") {
					t.Errorf("%s: a tool of the model is not listed", protocol)
				}
				for _, name := range []string{"count", "a__count", "echo"} {
					reply := answerOf(t, host, "tools/call", `{"name":"`+name+`","arguments":{"text":"hi"}}`)
					if strings.Contains(reply, "Unknown tool") {
						t.Errorf("%s: a view calls %s: %s", protocol, name, reply)
					}
				}
				if reply := answerOf(t, other, "tools/call", `{"name":"count","arguments":{}}`); !strings.Contains(reply,
					"Unknown tool") {
					t.Errorf("%s: a client that shows no views calls count: %s", protocol, reply)
				}
				if expose == All {
					continue
				}
				for _, call := range []string{`{"name":"invoke_tool","arguments":{"name":"a__count","arguments":{}}}`,
					`{"name":"describe_tool","arguments":{"name":"a__count"}}`} {
					if reply := answerOf(t, host, "tools/call", call); expose != Auto && !strings.Contains(reply, "NotFoundError") {
						t.Errorf("%s: a model uses a tool of views: %s", protocol, reply)
					}
				}
				found := answerOf(t, host, "tools/call", `{"name":"catalog_search","arguments":{"query":"count progress"}}`)
				if strings.Contains(found, "a__count") {
					t.Errorf("%s: a model finds a tool of views: %s", protocol, found)
				}
			}
		})
	}
}

// A name of two servers is not guessed.
func TestToolOfTwoViews(t *testing.T) {
	r := newRig(t, All, nil, map[string]wire.Target{"a": appServer("2026-07-28"), "b": appServer("2026-07-28")})
	eventually(t, "the servers", func() bool {
		v := r.view.Load()
		return v.byTool["a__count"] != nil && v.byTool["b__count"] != nil
	})
	host := r.extended(t, spec.July2026, mcp.AllExtensions())
	if reply := answerOf(t, host, "tools/call", `{"name":"count","arguments":{}}`); !strings.Contains(reply,
		"several servers have the tool count; use the name from tools/list: a__count, b__count") {
		t.Errorf("called one of two: %s", reply)
	}
}

// Skills are listed with URIs that lead to their server.
func TestSkillsOfServers(t *testing.T) {
	r := newRig(t, All, nil, map[string]wire.Target{"old": appServer("2025-11-25"), "new": appServer("2026-07-28")})
	eventually(t, "both servers", func() bool { return len(r.view.Load().resources) >= 2 })
	for _, protocol := range []string{spec.NewestLegacy, spec.July2026} {
		s := r.extended(t, protocol, mcp.AllExtensions())
		list, err := s.List(t.Context(), "skills/list")
		if err != nil || len(list.Items) != 2 {
			t.Fatalf("%s: %d skills (%v), want one of each server", protocol, len(list.Items), err)
		}
		for i, server := range []string{"new", "old"} {
			const root = "skill://exemplar/summary"
			end := "#gateway=" + server
			if got := list.Items[i]; got.Name != root+"/SKILL.md"+end || !strings.Contains(string(got.Raw),
				`"`+root+`/references/words.md`+end+`"`) {
				t.Errorf("%s: skill of %s: %s", protocol, server, got.Raw)
			}
			for _, step := range []struct{ method, uri, want string }{
				{"skills/get", root + "/SKILL.md" + end, root + "/references/words.md" + end},
				{"resources/directory/read", root + end, root + "/references" + end},
				{"resources/read", root + "/references/words.md" + end, "short, plain"},
			} {
				if reply := answerOf(t, s, step.method, `{"uri":"`+step.uri+`"}`); !strings.Contains(reply, step.want) {
					t.Errorf("%s: %s %s: %s", protocol, step.method, step.uri, reply)
				}
			}
		}
		if reply := answerOf(t, s, "skills/get", `{"uri":"skill://none/SKILL.md"}`); !strings.Contains(reply, "-32602") {
			t.Errorf("%s: an unknown skill: %s", protocol, reply)
		}
	}
}

func listsTool(t *testing.T, s *mcp.Session, name string) bool {
	t.Helper()
	list, err := s.List(t.Context(), "tools/list")
	if err != nil {
		t.Fatal(err)
	}
	_, found := list.Find(name)
	return found
}

// answerOf is the result of a request, or its error with the code.
func answerOf(t *testing.T, s *mcp.Session, method, params string) string {
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
