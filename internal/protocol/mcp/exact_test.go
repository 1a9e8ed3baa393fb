package mcp

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// exactValues are JSON values that a careless reader changes.
var exactValues = strings.Split(strings.TrimSpace(`
0
-0
0.0
-0.0
1
1.0
1.00
1e0
1E5
1e+5
1e-5
0.10
-1.50
1e400
-1e400
1e-400
9007199254740991
9007199254740992
9007199254740993
-9007199254740993
9223372036854775807
9223372036854775808
-9223372036854775808
-9223372036854775809
18446744073709551615
18446744073709551616
12345678901234567890123
123456789012345678901234567890123456789012345678901234567890
3.141592653589793238462643383279502884197
0.1000000000000000055511151231257827
2.2250738585072011e-308
1.7976931348623157e308
1.7976931348623159e308
4.9e-324
100000000000000000000000000000000000000000
true
false
null
""
" "
"a"
"<b>&amp;</b>"
"\u003cb\u003e"
"\/"
"/"
"\u0041"
"\u00e9"
"é"
"é"
"\u2028\u2029"
"  "
"\ud83d\ude00"
"\uD83D\uDE00"
"\ud800"
"\udc00"
"\ud800x"
"\udc00\ud800"
"\u0000"
"\u0001\u001f"
"\u007f"
""
"\b\f\n\r\t\"\\"
"\\u0041"
"\\"
"\""
"$id"
"$arguments"
"null"
"1.0"
"9007199254740993"
"2026-07-28T00:00:00Z"
"\ufeff"
"Å"
"Å"
"ſ K"
"=?base64?aGk=?="
"{\"a\":1}"
"}"
"{"
"]}"
"\"}"
"_meta"
"\"_meta\":{}"
"io.modelcontextprotocol/protocolVersion"
"data: x"
"event: endpoint"
"x: y"
{}
[]
[[]]
[{}]
{"":1}
{"":{"":""}}
{" ":1}
{"b":1,"a":2}
{"2":1,"10":2,"1":3}
{"a":1,"a":2}
{"a":{"x":1},"a":{"y":2}}
{"a":1,"A":2}
{"_meta":1}
{"_meta":{"a":1},"_meta":{}}
{"\u005fmeta":{"progressToken":1}}
{"progressToken":7}
{"jsonrpc":"1.0","id":99,"method":"evil","result":{},"error":null}
{"id":null}
{"arguments":{"arguments":{}}}
{"__proto__":{"x":1},"constructor":1}
{"\u0061":1,"a":2}
{"\ud800":1}
{"é":1,"é":2}
{"<&>":"<&>"}
{"a":[1,"1",1.0,true,null,{}]}
{ "a" : 1 , "b" : [ 1 , 2 ] }
[ ]
{ }
[1 ,2, 3 ]
[	1,	2	]
[1.0,1,1e0,10e-1]
[null,null,null]
[0,-0,0.0,-0.0,0e0]
[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]
{"a":{"b":{"c":{"d":{"e":{"f":{"g":1.10}}}}}}}
`), "\n")

// invisibleValues are strings with characters that are hard to see, raw.
var invisibleValues = []string{
	"\"\U0001f600\"",
	"\"\ufeffbom\"",
	"\"\u202ertl\"",
	"\"\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466\"",
	"\"\u2028\u2029\"",
	"\"\x7f\"", // DEL
	"\"\ue000\uffff\U0010ffff\"",
}

// exactCorpus is every value as an argument of its own, in an array and deeper.
func exactCorpus() []string {
	var all []string
	for _, value := range slices.Concat(exactValues, invisibleValues) {
		all = append(all, `{"v":`+value+`}`, `{"v":[`+value+`, `+value+`],"w":`+value+`}`, `{"_meta":`+value+`,"a":{"b":`+value+` }}`)
	}
	return append(all, `{}`, `{ }`, `{"x":"`+strings.Repeat("é", 100_000)+`"}`, `{"x":`+strings.Repeat("[", 60)+strings.Repeat("]", 60)+`}`)
}

// exactServers are the ways on which arguments and results travel.
func exactServers(t *testing.T, rules func(extra string) string) map[string]wire.Target {
	web, sse := httptest.NewServer(wiretest.New(rules(""))), httptest.NewServer(wiretest.New(rules("sse\n\t")))
	t.Cleanup(web.Close)
	t.Cleanup(sse.Close)
	argv, env := wiretest.Command(rules(""))
	return map[string]wire.Target{
		"in process": {Serve: wiretest.New(rules("")).Serve},
		"stdio":      {Command: argv, Env: env},
		"HTTP JSON":  {URL: web.URL},
		"HTTP SSE":   {URL: sse.URL},
	}
}

// TestC1 sends every value and gets it back: the bytes that leave are those that were given, the bytes in Result those
// that came.
func TestC1Exactness(t *testing.T) {
	corpus := exactCorpus()
	if len(corpus) < 300 {
		t.Fatalf("%d values, want 300", len(corpus))
	}
	for _, revision := range []string{spec.NewestLegacy, spec.NewestModern} {
		rules := func(extra string) string {
			return greeting(revision) + "on tools/call\n\t" + extra + "result {\"content\":[] , \"echo\":$arguments, \"big\":1e400}\n"
		}
		for name, target := range exactServers(t, rules) {
			t.Run(revision+" "+name, func(t *testing.T) {
				s := connect(t, target, Options{Protocol: revision})
				for _, arguments := range corpus {
					params := raw(`{"name":"t","arguments":` + arguments + `}`)
					ex, err := s.Do(context.Background(), Request{Method: "tools/call", Params: params, OnProgress: func(Progress) {}})
					if err != nil {
						t.Fatalf("%.200s: %v", arguments, err)
					}
					if want := `"params":{"name":"t","arguments":` + arguments + `,"_meta":{`; !strings.Contains(string(ex.Request.Frame.Body), want) {
						t.Errorf("sent %.300s\nwant %.300s", ex.Request.Frame.Body, want)
					}
					if want := `{"content":[] , "echo":` + arguments + `, "big":1e400}`; string(ex.Reply.Result) != want {
						t.Errorf("result %.300s\nwant   %.300s", ex.Reply.Result, want)
					}
				}
			})
		}
	}
}

// Arguments may be written over several lines. Where a line is a message, the line breaks, which mean nothing in JSON,
// become spaces; nothing else changes.
func TestC1LineBreaks(t *testing.T) {
	const arguments, flat = "{\n  \"a\" : \"x\\ny\xff\",\r\n  \"b\":1.0\n}", "{   \"a\" : \"x\\ny\xff\",    \"b\":1.0 }"
	for name, target := range exactServers(t, func(extra string) string {
		return legacyGreeting + "on tools/call\n\t" + extra + "result {\"content\":[]}\n"
	}) {
		s := connect(t, target, Options{Protocol: spec.NewestLegacy})
		ex, err := s.Call(context.Background(), "tools/call", raw(`{"arguments":`+arguments+`}`))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := arguments
		if slices.Contains([]string{"stdio", "in process"}, name) {
			want = flat
		}
		if got := string(ex.Request.Frame.Body); !strings.Contains(got, `"arguments":`+want+`}`) {
			t.Errorf("%s: sent %q, want %q", name, got, want)
		}
	}
}

// A raw frame goes out as it is, whatever it is.
func TestC1RawFrame(t *testing.T) {
	s, server := play(t, spec.NewestLegacy, "on x\n\tresult $params\n", Options{})
	const body = `{ "method":"x" ,"params":{"a":1.0,"a":-0}, "id":"my id","jsonrpc":"2.0" }`
	ex, err := s.CallRaw(context.Background(), raw(`"my id"`), []byte(body), nil)
	if err != nil || string(ex.Reply.Result) != `{"a":1.0,"a":-0}` || server.Got("x")[0] != body {
		t.Errorf("%v, result %s, the server got %s", err, ex.Reply.Result, server.Got("x"))
	}
}
