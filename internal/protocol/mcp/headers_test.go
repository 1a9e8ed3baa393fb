package mcp

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
)

func TestEncodeHeader(t *testing.T) {
	for value, want := range map[string]string{
		"":                "",
		"echo":            "echo",
		"a b\tc":          "a b\tc",
		" a":              "=?base64?IGE=?=",
		"a ":              "=?base64?YSA=?=",
		"é":               "=?base64?w6k=?=",
		"a\nb":            "=?base64?YQpi?=",
		"\x7f":            "=?base64?fw==?=",
		"=?base64?YQ==?=": "=?base64?PT9iYXNlNjQ/WVE9PT89?=",
		"=?base64?":       "=?base64?",
	} {
		if got := encodeHeader(value); got != want {
			t.Errorf("encodeHeader(%q) = %q, want %q", value, got, want)
		}
	}
}

func FuzzEncodeHeader(f *testing.F) {
	for _, seed := range []string{"", "a", " a", "é", "\r\nX: y", "=?base64?YQ==?=", "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got := encodeHeader(value)
		for _, c := range []byte(got) {
			if c != '\t' && (c < 0x20 || c >= 0x7f) {
				t.Fatalf("encodeHeader(%q) = %q", value, got)
			}
		}
		back := got
		if inner, ok := strings.CutPrefix(got, "=?base64?"); ok && strings.HasSuffix(inner, "?=") {
			decoded, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(inner, "?="))
			if err != nil {
				t.Fatal(err)
			}
			back = string(decoded)
		}
		if back != value {
			t.Fatalf("%q comes back as %q by %q", value, back, got)
		}
	})
}

// A modern request repeats in its header what stands in its body.
func TestModernHeader(t *testing.T) {
	const tools = `{"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"},"o":{"type":"object","properties":{"s":{"type":"string","x-mcp-header":"S"}}}}}}]}`
	s, server := playHTTP(t, NewestModern, "on tools/list\n\tresult "+tools+"\non tools/call\n\tresult {}\n", Options{Header: map[string]string{"X-Mine": "1"}})
	result(t, s, "tools/list", nil)
	result(t, s, "tools/call", raw(`{"name":"t","arguments":{"n":9007199254740993,"o":{"s":"é"}}}`))
	got := server.Received()[len(server.Received())-1].Header
	for name, want := range map[string]string{"Mcp-Protocol-Version": NewestModern, "Mcp-Method": "tools/call", "Mcp-Name": "t",
		"Mcp-Param-N": "9007199254740993", "Mcp-Param-S": "=?base64?w6k=?=", "X-Mine": "1", "Mcp-Session-Id": ""} {
		if got.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, got.Get(name), want)
		}
	}
}

func TestLegacyHeader(t *testing.T) {
	for _, revision := range Revisions[:4] {
		rules := "on tools/list\n\tresult {\"tools\":[]}\non GET\n\tsse\n\thang\n"
		server := strings.Replace(legacyGreeting, "on initialize\n\t", "on initialize\n\theader Mcp-Session-Id: abc\n\t", 1)
		s, played := playAt(t, strings.ReplaceAll(server, "2025-11-25", revision)+rules, Options{Protocol: revision})
		result(t, s, "tools/list", nil)
		got := http.Header{}
		for _, m := range played.Received() {
			if m.Method == "tools/list" {
				got = m.Header
			}
		}
		version := ""
		if revision >= "2025-06-18" {
			version = revision
		}
		if got.Get("Mcp-Session-Id") != "abc" || got.Get("Mcp-Protocol-Version") != version || got.Get("Mcp-Method") != "" {
			t.Errorf("%s: header %v", revision, got)
		}
		_ = s.Close()
		if len(played.Got("DELETE")) != 1 {
			t.Errorf("%s: the session was not deleted", revision)
		}
	}
}

func TestHeaderFault(t *testing.T) {
	for schema, want := range map[string]string{
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}`:                                                                                    "",
		`{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`:                                                                                    "want string, integer or boolean",
		`{"properties":{"a":{"type":"string","x-mcp-header":"A B"}}}`:                                                                                  "not an HTTP header name",
		`{"properties":{"a":{"type":"string","x-mcp-header":""}}}`:                                                                                     "not a name",
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`:                                           "stands twice",
		`{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}`:                                                           "properties alone do not lead",
		`{"type":"string","x-mcp-header":"A"}`:                                                                                                         "the root is not a parameter",
		`{"properties":` + strings.Repeat(`{"p":{"properties":`, 100) + `{"a":{"type":"string","x-mcp-header":"A"}}` + strings.Repeat(`}}`, 100) + `}`: "levels deep",
	} {
		err := HeaderFault(raw(`{"name":"t","inputSchema":` + schema + `}`))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("HeaderFault(%.100s) = %v, want %q", schema, err, want)
		}
	}
}
