package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

// exactValues are JSON values that a decoder and an encoder between them would change.
func exactValues() []string {
	values := []string{
		"0", "-0", "-0.0", "0.0", "1", "1.0", "1.00", "1e0", "1E5", "1e+5", "1e-5", "1e400", "-1e400", "1e-400", "0.1",
		"0.10", "123456789.123456789123456789",
		"9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "18446744073709551615",
		"18446744073709551616",
		"12345678901234567890123456789012345678901234567890", "true", "false", "null", `""`, `" "`, `"a"`, `[]`, `{}`,
		`[ ]`, `{ }`, `[[[[]]]]`,
		`{"":1}`, `{"":{"":""}}`, `{"b":1,"a":2}`, `{"a":1,"b":2}`, `{"a":1,"a":2}`, `{"a":{"x":1,"x":2}}`,
		`{"A":1,"a":2}`, `{"ſ":1,"s":2}`,
		`"<b>&'\""`, `"\u003cb\u003e"`, `"\/"`, `"/"`, `"\u0041"`, `"A"`, `"\u0000"`, `"\u001f"`, `"\u007f"`,
		`"\u2028\u2029"`, "\"\u2028\u2029\"",
		`"é"`, `"\u00e9"`, `"e\u0301"`, `"\ud83d\ude00"`, `"😀"`, `"\ud800"`, `"\udc00"`, `"\udc00\ud800"`, `"x\ud800y"`,
		`"\uFEFF"`, "\"\uFEFF\"",
		`"\b\f\n\r\t"`, `"日本語"`, `"\u65e5"`, "\"\u202e\"", `{"a" : 1}`, "{\t\"a\"\t:\t[ 1 ,2 ]\t}", `[1, 2.0,3e0]`,
		`{"_meta":{"x":1}}`, `{"name":"other"}`, `{"arguments":{}}`,
		`"{\"a\":1}"`, `"null"`, `"]}"`, `{"]}":"}"}`,
	}
	for i := range 40 {
		values = append(values, fmt.Sprint(1<<53+i), fmt.Sprintf("%d.%s", i, strings.Repeat("0", i%7+1)),
			fmt.Sprintf("%de%d", i+1, 300+i*5),
			fmt.Sprintf(`"\u%04x"`, 0x20+i*53), fmt.Sprintf(`{"k%d":1,"k%d":2,"":[%d.0]}`, i, i%3, i),
			fmt.Sprintf(`%s1%s`, strings.Repeat("[", i%20+1), strings.Repeat("]", i%20+1)))
	}
	return values
}

// echoBytes is a server that returns the very bytes of the arguments as structured content.
func echoBytes(t *testing.T, events bool) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := mcp.Read(wire.Frame{Body: body})
		answer := func(result string) {
			text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
			if events {
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprintf(w, "data: %s\n\n", text)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, text)
		}
		switch m.Method {
		case "server/discover":
			answer(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` +
				`"ttlMs":0,"cacheScope":"private"}`)
		case "tools/list":
			answer(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"echo",` +
				`"inputSchema":{"type":"object"}}]}`)
		default:
			arguments, _ := schema.Get(m.Params, "/arguments")
			answer(fmt.Sprintf(`{"resultType":"complete","content":[], "structuredContent" : %s}`, arguments))
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// What is given as JSON leaves byte for byte, and what comes back is shown byte for byte.
func TestArgumentsAndResultsAreExact(t *testing.T) {
	values := exactValues()
	if len(values) < 300 {
		t.Fatalf("%d values; want 300 or more", len(values))
	}
	for _, events := range []bool{false, true} {
		server := echoBytes(t, events)
		for i, value := range values {
			if events && i%4 != 0 {
				continue // the framing is what differs, and a quarter shows it
			}
			arguments := fmt.Sprintf(`{"v":%s, "n":%d.0}`, value, i)
			want := fmt.Sprintf("{\"resultType\":\"complete\",\"content\":[], \"structuredContent\" : %s}\n", arguments)
			got, stderr, code := runCLI("tools", "call", "echo", "--args", arguments, "--no-validate", "--json",
				server.URL)
			if code != 0 || got != want {
				t.Errorf("events %v: exit %d, got %q; want %q\n%s", events, code, got, want, stderr)
			}
		}
	}
}

// runCLI runs a command line in this process.
func runCLI(args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	e := cli.System()
	e.Args, e.Stdin, e.Stdout, e.Stderr = args, strings.NewReader(""), &out, &errs
	e.Supervisor = nil // a test binary does not supervise
	code = cli.Run(context.Background(), e)
	return out.String(), errs.String(), code
}
