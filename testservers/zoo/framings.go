package zoo

import (
	"strings"
	"time"
)

// framings are servers that violate the rule of one message per line.
func framings() []Server {
	return []Server{
		{Name: "content-length", Defect: "uses the framing of LSP",
			Script: but("on initialize\n\twrite \"Content-Length: 38\\r\\n\\r\\n{}\""),
			Sight: Sight{Connect: "stdout has Content-Length headers, the LSP framing, instead of JSON-RPC messages",
				Hint: "one JSON message per line"}},
		{Name: "html-on-stdout", Defect: "writes HTML to stdout",
			Script: but("on initialize\n\twrite \"<!DOCTYPE html>\\n<html>\\n\"\n\thang"),
			Sight: Sight{Connect: `stdout has HTML instead of JSON-RPC messages: "<!DOCTYPE html>" and 1 more lines; ` +
				`initialize: no response within 500ms`, Hint: "pass its URL"}},
		{Name: "prompt", Defect: "is an interpreter", Script: but("on initialize\n\twrite \"> {\\n\"\n\thang"),
			Sight: Sight{Connect: `stdout has the prompt of a shell or interpreter instead of JSON-RPC messages: "> ` +
				`{"; initialize: no response within 500ms`, Hint: "pass the command of the server itself"}},
		{Name: "json-logs", Defect: "writes only JSON logs to stdout",
			Script: but(`on initialize` + "\n\t" + `send {"level":"info","msg":"ready"}` + "\n\thang"),
			Sight: Sight{Connect: `stdout has JSON that is not JSON-RPC instead of JSON-RPC messages: ` +
				`"{\"level\":\"info\",\"msg\":\"ready\"}"; initialize: no response within 500ms`,
				Hint: "write logs to stderr"}},
		{Name: "endless-banner", Defect: "writes an endless banner",
			Script: but("on initialize\n\trepeat 300 write \"loading\\n\"\n\thang"),
			Sight: Sight{Connect: `stdout has text that does not end instead of JSON-RPC messages: "loading" and 299 ` +
				`more lines; initialize: no response within 500ms`, Hint: "to stderr"}},
		{Name: "stdout-noise", Defect: "logs to stdout", Script: called(`write "INFO ready in 3 ms\n"`, `result {}`),
			Sight: Sight{Notice: `not JSON: "INFO ready in 3 ms"`, Frame: "INFO ready in 3 ms"}},
		{Name: "blank-lines", Defect: "prints empty lines", Script: called(`write "\n\n"`, `result {}`),
			Sight: Sight{Notice: "an empty message"}},
		{Name: "trailing-bytes", Defect: "adds bytes after the message",
			Script: called(`send {"jsonrpc":"2.0","id":$id,"result":{}} done`),
			Sight:  Sight{Notice: `4 bytes follow the message`}},
		{Name: "two-in-a-line", Defect: "writes two messages in a line",
			Script: called(`send {"jsonrpc":"2.0","method":"notifications/x"}{"jsonrpc":"2.0","id":$id,"result":{}}`),
			Sight:  Sight{Notice: "more than one message in a frame"}},
		{Name: "pretty-printed", Defect: "prints JSON over several lines",
			Script: called(`write "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": $id,\n  \"result\": {\n    \"a\": \"}{\"\n  ` +
				`}\n}\n"`),
			Sight: Sight{Notice: "message spans several lines"}},
		{Name: "line-10MiB", Defect: "responds with 10 MiB in a line", Script: called(`result {"x":"$fill(10485760)"}`),
			Sight: Sight{}},
		{Name: "line-33MiB", Defect: "responds with 33 MiB in a line",
			Script: but("on tools/call\n\t"+`result {"x":"$fill(34603008)"}`, "on tools/call\n\tresult {}"),
			Sight: Sight{Call: "exceeds the limit of 32 MiB", Again: true, Notice: "is over the limit",
				Within: 8 * time.Second}},
		{Name: "line-33MiB-id-last", Defect: "responds with 33 MiB in a line, id last",
			Script: but("on tools/call\n\t"+`send {"result":{"x":"$fill(34603008)"},"jsonrpc":"2.0","id":$id}`,
				"on tools/call\n\tresult {}"),
			Sight: Sight{Call: "exceeds the limit of 32 MiB", Again: true, Within: 8 * time.Second}},
		{Name: "no-newline-exit", Defect: "responds without a newline and exits",
			Script: called(`write "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{}}"`, `exit 0`),
			Sight:  Sight{Notice: "the stream ended inside this message"}},
		{Name: "half-answer-exit", Defect: "exits in the middle of its response",
			Script: called(`write "{\"jsonrpc\":\"2.0\",\"id\":$id,\"resu"`, `stderr "out of cheese\n"`, `exit 3`),
			Sight: Sight{Call: "exited with status 3", Notice: "the stream ended inside this message",
				Stderr: "out of cheese", Frame: `,"resu`}},
		{Name: "cut-line", Defect: "ends a line in the middle of its response",
			Script: but("on tools/call\n\t"+`write "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"a\":\n"`,
				"on tools/call\n\tresult {}"),
			Sight: Sight{Call: "JSON that ends too early", Again: true}},
		{Name: "byte-drip", Defect: "writes one byte at a time",
			Script: called(`drip 1ms {"jsonrpc":"2.0","id":$id,"result":{"x":"€ö"}}`), Sight: Sight{Frame: `"€ö"`}},
		{Name: "crlf", Defect: "ends its lines with CR LF",
			Script: called(`write "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{}}\r\n"`),
			Sight:  Sight{Notice: "CR LF"}},
		{Name: "bom", Defect: "begins with a byte order mark",
			Script: called(`write "\ufeff{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{}}\n"`),
			Sight:  Sight{Notice: "byte order mark"}},
		{Name: "invalid-utf8", Defect: "sends bytes that are not UTF-8",
			Script: called(`write "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"x\":\"\xff\"}}\n"`),
			Sight:  Sight{Notice: "invalid UTF-8 at byte", Frame: "\"\xff\""}},
		{Name: "lone-surrogate", Defect: "escapes half a character",
			Script: called(`send {"jsonrpc":"2.0","id":$id,"result":{"x":"\ud800"}}`),
			Sight:  Sight{Notice: "surrogate", Frame: `\ud800`}},
		{Name: "nan", Defect: "sends NaN", Script: called(`result {"x":NaN}`),
			Sight: Sight{Call: "invalid response: invalid character", Frame: "NaN"}},
		{Name: "utf16", Defect: "writes UTF-16", Script: called(`write "\xff\xfe{\x00}\x00\n\x00\n"`, `result {}`),
			Sight: Sight{Notice: "not JSON"}},
		{Name: "brace-noise", Defect: "logs lines in braces",
			Script: called(`repeat 200 write "`+strings.Repeat(`{request} done {\n`, 100)+`"`, `result {}`),
			Sight:  Sight{Notice: "invalid character"}},
	}
}
