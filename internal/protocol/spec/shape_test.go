package spec

import "testing"

// Every name in the tables means something, in each revision that uses it.
func TestShapesAreWhole(t *testing.T) {
	for id, all := range shapes() {
		for name, s := range all {
			for _, missing := range unknown(all, s) {
				t.Errorf("%s: %s names %s, which the revision does not have", id, name, missing)
			}
		}
		r, _ := Find(id)
		for _, m := range r.Methods() {
			if all[m.params] == nil || m.result != "" && all[m.result] == nil || m.Notification != (m.result == "") {
				t.Errorf("%s: %s has params %q and result %q; want shapes of the revision", id, m.Name, m.params,
					m.result)
			}
		}
	}
}

func unknown(all map[string]*shape, s *shape) []string {
	var missing []string
	var walk func(*typ)
	walk = func(t *typ) {
		if t == nil {
			return
		}
		if t.shape != "" && all[t.shape] == nil {
			missing = append(missing, t.shape)
		}
		walk(t.array)
		walk(t.values)
		for _, one := range t.either {
			walk(one)
		}
	}
	walk(s.alias)
	for _, f := range s.fields {
		walk(f.typ)
	}
	return missing
}

func TestJudgeAnswer(t *testing.T) {
	for _, c := range []struct{ revision, method, message, want string }{
		{"2025-11-25", "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a",` +
			`"inputSchema":{"type":"object"}}]}}`, ""},
		{"2025-11-25", "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":null}]}}`,
			"/result/tools/0/inputSchema: found null, expected an object"},
		{"2025-11-25", "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":5}]}}`,
			"/result/content/0/text: found 5, expected a string"},
		{"2025-11-25", "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"video"}]}}`,
			`/result/content/0: found {"type":"video"}, expected an object with type "text" or an object with type ` +
				`"image" or an object with type "audio" or an object with type "resource_link" or an object with ` +
				`type "resource"`},
		{"2024-11-05", "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio","data":"",` +
			`"mimeType":"audio/wav"}]}}`, `/result/content/0: found {"type":"audio","data":"",` +
			`"mimeType":"audio/wav"}, expected an object with type "text" or an object with type "image" or an ` +
			`object with type "resource"`},
		{"2026-07-28", "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"resultType":"complete",` +
			`"ttlMs":-1,"cacheScope":"public"}}`, "/result/ttlMs: found -1, expected 0 or more"},
		{"2026-07-28", "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"ttlMs":1.0,"cacheScope":"public"}}`,
			"/result/resultType: found nothing, expected a string"},
		{"2026-07-28", "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required",` +
			`"requestState":5}}`, "/result/requestState: found 5, expected a string"},
		{"2026-07-28", "tools/list", `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no",` +
			`"data":{"supported":[]}}}`, "/error/data/requested: found nothing, expected a string"},
		{"2025-11-25", "ping", `{"jsonrpc":"2.0","id":1,"result":[]}`, "/result: found [], expected an object"},
		{"2025-11-25", "ping", `{"jsonrpc":"2.0","id":1.5,"result":{}}`,
			"/id: found 1.5, expected a string or an integer"},
	} {
		r, _ := Find(c.revision)
		got := ""
		if found := r.ValidateResponse(Client, c.method, []byte(c.message)); len(found) > 0 {
			got = found[0].String()
		}
		if got != c.want {
			t.Errorf("%s %s: %s\n got %s\nwant %s", c.revision, c.method, c.message, got, c.want)
		}
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		revision, message, want string
	}{
		{"2025-11-25", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`,
			""},
		{"2025-11-25", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}`,
			"/params/progress: found nothing, expected a number"},
		{"2025-11-25", `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`, ""},
		{"2025-11-25", `{"jsonrpc":"2.0","method":"roots/list"}`,
			"/id: found nothing, expected an id: roots/list is a request"},
		{"2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`,
			`/method: found "roots/list", expected a method that a server of 2026-07-28 may send`},
		{"2025-11-25", `{"jsonrpc":"2.0","id":1,"method":"notifications/message","params":{}}`,
			"/id: found 1, expected none: notifications/message is a notification"},
	} {
		r, _ := Find(c.revision)
		got := ""
		if found := r.Validate(Server, []byte(c.message)); len(found) > 0 {
			got = found[0].String()
		}
		if got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.revision, c.message, got, c.want)
		}
	}
}
