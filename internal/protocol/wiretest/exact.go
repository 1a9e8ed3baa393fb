package wiretest

import (
	"slices"
	"strings"
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

// ExactArguments returns arguments of tools that a careless reader changes: more than 300 JSON objects. Every value
// is an argument of its own, in an array and deeper.
func ExactArguments() []string {
	var all []string
	for _, value := range slices.Concat(exactValues, invisibleValues) {
		all = append(all, `{"v":`+value+`}`, `{"v":[`+value+`, `+value+`],"w":`+value+`}`,
			`{"_meta":`+value+`,"a":{"b":`+value+` }}`)
	}
	return append(all, `{}`, `{ }`, `{"x":"`+strings.Repeat("é", 100_000)+`"}`,
		`{"x":`+strings.Repeat("[", 60)+strings.Repeat("]", 60)+`}`)
}
