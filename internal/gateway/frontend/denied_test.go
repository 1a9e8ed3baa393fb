package frontend

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"pgregory.net/rapid"
)

func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// What a caller may not use it neither sees nor can call, by any spelling; a change of policy holds at once (E4).
func TestE4DeniedToolsDoNotExist(t *testing.T) {
	tools := map[string]func(*toyCall) string{}
	for _, name := range []string{"read", "write", "Read", "delete_all"} {
		tools[name] = func(*toyCall) string { return text("ran " + name) }
	}
	policy, err := access.New(access.Config{})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, Both, policy, map[string]wire.Target{"a": inProcess(&toy{tools: tools}),
		"b": inProcess(&toy{tools: tools}), "c": inProcess(&toy{tools: tools})})
	patterns := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "a/read", "b/*", "*/write", "a/*e*", "*", "c",
		"a/Read"}), 0, 3)
	allow := func(allow, deny []string) {
		if err := policy.Replace(access.Config{Callers: []access.CallerConfig{{Name: "ada", TokenSHA256: hash("x"),
			Allow: allow, Deny: deny}}}); err != nil {
			t.Fatal(err)
		}
	}
	allow(nil, nil)
	s := r.dial(t, "2026-07-28", "ada", mcp.Options{})
	eventually(t, "all tools", func() bool { return len(names(t, s)) >= 12+10 })
	cases := 0
	rapid.Check(t, func(rt *rapid.T) {
		allow(patterns.Draw(rt, "allow"), patterns.Draw(rt, "deny"))
		seen := names(t, s)
		found := callMeta(t, s, "catalog_search", `{"query":"read write delete","limit":100}`) +
			callMeta(t, s, "catalog_list", `{}`)
		for _, server := range []string{"a", "b", "c"}[:max(1, 3/slowdown)] { // under the race detector, fewer
			for name := range tools {
				exposed := server + "__" + name
				listed := slices.Contains(seen, exposed)
				for _, spelling := range []string{exposed, server + "/" + name, strings.ToUpper(exposed),
					exposed + "_"} {
					cases++
					invoked := call(t, s, "invoke_tool", `{"name":"`+spelling+`"}`)
					known := spelling == exposed || strings.Contains(spelling, "/")
					if ran := strings.Contains(invoked, "ran "); ran != (listed && known) {
						rt.Errorf("%s is listed: %v, invoked: %s", spelling, listed, invoked)
					}
				}
				cases += 2
				if ran := strings.Contains(call(t, s, exposed, `{}`), "ran "+name+`"`); ran != listed {
					rt.Errorf("%s is listed: %v, called: %v", exposed, listed, ran)
				}
				if shown := strings.Contains(found, `"invoke_as":"`+exposed+`"`); shown != listed {
					rt.Errorf("%s is listed: %v, found: %v", exposed, listed, shown)
				}
			}
		}
	})
	t.Logf("%d cases", cases)
	allow([]string{"a/read"}, nil)
	for _, spelling := range []string{"a__WRITE", "A__read", "a__reаd", "a_read", "a__read ", "a__read\u0000",
		"b__read", "a/read/../write"} {
		if got := call(t, s, spelling, `{}`); strings.Contains(got, "ran") {
			t.Errorf("%q was run: %s", spelling, got)
		}
	}
}

// Only callers who may manage the catalog see and run what changes it.
func TestManaging(t *testing.T) {
	policy, err := access.New(access.Config{Callers: []access.CallerConfig{{Name: "ada", TokenSHA256: hash("a"),
		Manage: true}, {Name: "eve", TokenSHA256: hash("e")}}})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, Meta, policy, nil)
	for caller, want := range map[string]bool{"ada": true, "eve": false} {
		s := r.dial(t, "2026-07-28", caller, mcp.Options{})
		if got := slices.Contains(names(t, s), "register_tool"); got != want {
			t.Errorf("%s sees register_tool: %v, want %v", caller, got, want)
		}
		got := call(t, s, "register_tool", `{"tool":{"name":"t-`+caller+
			`","run":{"upstream":{"server":"a","tool":"b"}}}}`)
		if _, err := r.opts.Catalog.Get(catalog.Key{Name: "t-" + caller}); (err == nil) != want {
			t.Errorf("%s registered a tool: %v (%s), want %v", caller, err == nil, got, want)
		}
	}
}
