package appview

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
)

// listed are the tools of two servers as a gateway lists them.
func listed() []json.RawMessage {
	var all []json.RawMessage
	for _, one := range []struct{ server, tool, visibility string }{
		{"a", "show", `"model","app"`}, {"a", "helper", `"app"`}, {"a", "secret", `"model"`}, {"a", "a__helper", `"app"`},
		{"b", "helper", `"app"`}, {"b", "only", `"app"`}, {"b", "a__only", `"app"`}, {"a__b", "other", `"app"`},
		{"my server", "helper", `"app"`}, {"my server", "do.it", `"app"`},
	} {
		all = append(all, json.RawMessage(`{"name":"`+naming.Expose(one.server, one.tool, naming.Max)+
			`","_meta":{"ui":{"visibility":[`+one.visibility+`]}}}`))
	}
	return all
}

// A view behind a gateway calls the tools of its own server by their names, if they are for apps, and no others.
func TestScopeBehindAGateway(t *testing.T) {
	tools := listed()
	for _, c := range []struct{ server, name, want string }{
		{"a", "show", "a__show"}, {"a", "helper", "a__helper"}, {"a", "a__show", "a__show"},
		{"a", "a__helper", "a__a__helper"}, // its own name comes first
		{"b", "helper", "b__helper"}, {"b", "only", "b__only"},
		{"my server", "do.it", naming.Expose("my server", "do.it", naming.Max)},
		{"a", "secret", "is not for apps"}, {"a", "a__secret", "is not for apps"},
		{"a", "only", "unknown tool"}, {"a", "b__only", "unknown tool"}, {"a", "b__helper", "unknown tool"},
		{"a", "b__other", "unknown tool"}, {"a", naming.Expose("a__b", "other", naming.Max), "unknown tool"},
		{"a", "", "unknown tool"}, {"b", "secret", "unknown tool"},
	} {
		scope := ScopeOf(naming.Expose(c.server, "show", naming.Max), naming.URI(c.server, "ui://view"))
		got, refused := scope.Tool(tools, c.name)
		if refused != nil {
			got = refused.Message
		}
		if !strings.Contains(got, c.want) || refused == nil && got != c.want {
			t.Errorf("a view of %s calls %q: %s, want %s", c.server, c.name, got, c.want)
		}
	}
	var own []string
	for _, tool := range ScopeOf("a__show", "ui://view#gateway=a").Tools(tools) {
		own = append(own, string(tool[:20]))
	}
	if want := `[{"name":"show","_met {"name":"helper","_m {"name":"a__helper",]`; fmt.Sprint(own) != want {
		t.Errorf("tools/list of a view: %v, want %s", own, want)
	}
}

// A view learns from the code whether a tool is unknown or not for it.
func TestCodesOfRefusals(t *testing.T) {
	for name, want := range map[string]int{"missing": -32602, "": -32602, "b__only": -32602, "secret": -32000} {
		_, refused := ScopeOf("a__show", naming.URI("a", "ui://view")).Tool(listed(), name)
		if refused == nil || refused.Code != want {
			t.Errorf("call of %q: %+v, want the code %d", name, refused, want)
		}
	}
}

// Without a gateway, a view calls what the server lists, whatever its URI looks like.
func TestScopeWithoutAGateway(t *testing.T) {
	tools := []json.RawMessage{json.RawMessage(`{"name":"show"}`), json.RawMessage(`{"name":"b__helper"}`)}
	for _, uri := range []string{"ui://view", "ui://view#gateway=b", "ui://view#gateway="} {
		scope := ScopeOf("show", uri)
		for _, name := range []string{"show", "b__helper"} {
			if got, err := scope.Tool(tools, name); got != name || err != nil {
				t.Errorf("%s: %s is %q (%v)", uri, name, got, err)
			}
		}
		if _, err := scope.Tool(tools, "helper"); err == nil {
			t.Errorf("%s: a tool that is not listed was found", uri)
		}
	}
}

func TestScopeOfResources(t *testing.T) {
	a := ScopeOf("a__show", "ui://view#gateway=a")
	for uri, want := range map[string]string{"ui://x": "ui://x#gateway=a", "ui://x#gateway=a": "ui://x#gateway=a",
		"ui://x#gateway=b": "", "ui://x#b": "ui://x#b&gateway=a"} {
		if got, ok := a.URI(uri); ok != (want != "") || ok && got != want {
			t.Errorf("%s is %q (%v), want %q", uri, got, ok, want)
		}
	}
	const list = `{"resources":[{"uri":"ui://x#gateway=a"},{"uri":"ui://y#gateway=b"},{"uri":"ui://z"}],"nextCursor":"2"}`
	if got := string(a.Resources(json.RawMessage(list))); got != `{"resources":[{"uri":"ui://x#gateway=a"}],"nextCursor":"2"}` {
		t.Errorf("resources/list of a view: %s", got)
	}
	if got := string((Scope{}).Resources(json.RawMessage(list))); got != list {
		t.Errorf("without a gateway: %s", got)
	}
}
