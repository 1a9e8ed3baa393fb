package demo

import (
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

const flawedDoc = `Typical defects of real servers, to see what the checks find. Still good enough to list and to call.

 1. search_notes: nothing required, additional properties allowed, a property without a type, no upper bounds
 2. set_priority: takes values that its enum excludes
 3. get_weather: the result breaks its outputSchema
 4. divide: the server dies when the divisor is 0
 5. build_report: two seconds without a sign of progress, though the caller asked for it
 6. import_rows: progress goes backwards
 7. load_config: errors show a path and a stack trace
 8. count_words: a missing argument becomes an internal error
 9. list_users, get_users: the same description twice
10. run: no description at all
11. fetch_page: characters in the description that nobody sees
12. get_logo: bytes that are neither base64 nor what the MIME type says
13. clear_cache: says that it is read-only and is not
14. file_info: structured content without the text that mirrors it
15. transfer: requires a property that it does not declare
16. unknown tools are answered with a result instead of a protocol error
17. cursors that were never given out are accepted
18. over stdio, a log line stands between the messages`

func newFlawed() *rawServer {
	return &rawServer{
		info:         `{"name":"demo-flawed","title":"Typical defects","version":"1.0.0"}`,
		instructions: "A server with defects on purpose.",
		tools:        flawedTools(),
		// 16. A client cannot tell a misspelt name from a tool that failed.
		unknown: func(name string) string { return errorResult("Tool " + name + " not found") },
		// 17. A client that pages wrongly never learns of it.
		anyCursor: true,
		// 18. Only messages may stand on stdout.
		noise: map[string]string{"tools/list": "demo-flawed: listing tools"},
	}
}

func flawedTools() []rawTool {
	return append(looseTools(), brokenTools()...)
}

// define writes a tool's definition. Without a description there is none; more holds members that follow.
func define(name, description, schema, more string) string {
	var b strings.Builder
	b.WriteString(`{"name":` + string(serve.Encode(name)))
	if description != "" {
		b.WriteString(`,"description":` + string(serve.Encode(description)))
	}
	b.WriteString(`,"inputSchema":` + schema)
	if more != "" {
		b.WriteString("," + more)
	}
	return b.String() + "}"
}

// readOnly is the annotation of a tool that changes nothing.
const readOnly = `"annotations":{"readOnlyHint":true}`

func serveFlawed(ctx context.Context, in io.Reader, out io.Writer) error {
	return newFlawed().serve(ctx, in, out)
}

func flawedHandler() (http.Handler, func()) { return newFlawed().handler() }
