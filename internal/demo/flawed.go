package demo

import (
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

const flawedDoc = `A server with typical defects, to see what the checks find. It can still be listed and called.

 1. search_notes: nothing required, additional properties allowed, a property without a type, no upper bounds
 2. set_priority: accepts values that its enum excludes
 3. get_weather: the result violates its outputSchema
 4. divide: the server crashes if the divisor is 0
 5. build_report: two seconds without a progress notification, although the caller requested it
 6. import_rows: progress decreases
 7. load_config: errors leak a path and a stack trace
 8. count_words: a missing argument becomes an internal error
 9. list_users, get_users: duplicate description
10. run: no description at all
11. fetch_page: invisible characters in the description
12. get_logo: data that is not base64 and does not match the MIME type
13. clear_cache: sets readOnlyHint but is not read-only
14. file_info: structured content without equivalent text content
15. transfer: requires a property that it does not declare
16. unknown tools return a result instead of a protocol error
17. cursors that were never issued are accepted
18. over stdio, a log line appears between the messages`

func newFlawed() *rawServer {
	return &rawServer{
		info:         `{"name":"demo-flawed","title":"Typical defects","version":"1.0.0"}`,
		instructions: "A server with intentional defects.",
		tools:        flawedTools(),
		// 16. A client cannot distinguish a misspelled name from a tool that failed.
		unknown: func(name string) string { return errorResult("Tool " + name + " not found") },
		// 17. A client with a paging error does not notice it.
		anyCursor: true,
		// 18. stdout must contain only messages.
		noise: map[string]string{"tools/list": "demo-flawed: listing tools"},
	}
}

func flawedTools() []rawTool {
	return append(looseTools(), brokenTools()...)
}

// define returns a tool's definition. An empty description is omitted; more contains additional fields.
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

// readOnly is the annotation of a read-only tool.
const readOnly = `"annotations":{"readOnlyHint":true}`

func serveFlawed(ctx context.Context, in io.Reader, out io.Writer) error {
	return newFlawed().serve(ctx, in, out)
}

func flawedHandler() (http.Handler, func()) { return newFlawed().handler() }
