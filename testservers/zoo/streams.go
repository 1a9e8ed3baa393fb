package zoo

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// streams are HTTP servers with faulty event streams or bodies.
func streams() []Server {
	const answer = `{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{}}`
	servers := []Server{
		{Name: "sse-cut-before-answer", Defect: "ends the stream before the response",
			Script: called("sse", `notify notifications/message {"level":"info","data":1}`),
			Sight:  Sight{Call: "the call may or may not have run"}},
		{Name: "sse-empty", Defect: "ends the stream without any event", Script: called("sse"),
			Sight: Sight{Call: "the call may or may not have run"}},
		{Name: "sse-reset", Defect: "disconnects before the response",
			Script: called("sse", `notify notifications/message {"level":"info","data":1}`, "cut"),
			Sight:  Sight{Call: "the call may or may not have run"}},
		{Name: "sse-cut-in-event", Defect: "disconnects inside the response",
			Script: called("sse", `write "data: {\"jsonrpc\":\"2.0\",\"id\":$id,\"resu"`, "cut"),
			Sight: Sight{Call: "the call may or may not have run", Notice: "the stream ended inside this message",
				Frame: `"resu`}},
		{Name: "sse-no-blank-line", Defect: "ends the stream without the empty line",
			Script: called("sse", `write "data: `+answer+`\n"`),
			Sight:  Sight{Notice: "the stream ended inside this message"}},
		{Name: "sse-cr", Defect: "ends its lines with CR only",
			Script: called("sse", `write "event: message\rdata: `+answer+`\r\r"`), Sight: Sight{}},
		{Name: "sse-crlf", Defect: "ends its lines with CR LF, which is allowed",
			Script: called("sse", `write "event: message\r\ndata: `+answer+`\r\n\r\n"`), Sight: Sight{}},
		{Name: "sse-no-space", Defect: "puts no space after the colon, which is allowed",
			Script: called("sse", `write "data:`+answer+`\n\n"`), Sight: Sight{}},
		{Name: "sse-many-data", Defect: "splits the message over data lines, which is allowed",
			Script: called("sse", `write "data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":$id,\ndata\ndata: `+
				`\"result\":{}}\n\n"`), Sight: Sight{}},
		{Name: "sse-odd-fields", Defect: "has unknown fields, comments and a NUL in an id",
			Script: called("sse", `write ": hi\nfoo: bar\nbaz\nid: a\x00b\nretry: soon\ndata: `+answer+`\n\n"`),
			Sight:  Sight{}},
		{Name: "sse-half-open", Defect: "leaves the stream open and silent", Script: called("sse", "hang"),
			Sight: Sight{Call: "no response within"}},
		{Name: "sse-keep-alive-only", Defect: "only sends comments",
			Script: called("sse", `repeat 100000 write ":\n\n"`, "hang"), Sight: Sight{Call: "no response within"}},
		{Name: "sse-stays-open", Defect: "leaves the stream open after the response",
			Script: called("sse", "result {}", "hang"), Sight: Sight{}},
		{Name: "sse-not-json", Defect: "sends an event that is not JSON",
			Script: called("sse", `write "data: hello\n\n"`, "result {}"), Sight: Sight{Notice: `not JSON: "hello"`}},
		{Name: "body-drip", Defect: "sends an endless body byte by byte",
			Script: called("header Content-Type: application/json", `repeat 100000 drip 20ms x`),
			Sight:  Sight{Call: "no response within"}},
		{Name: "headers-hang", Defect: "never sends a header", Script: called("hang"),
			Sight: Sight{Call: "no response within"}},
		{Name: "body-33MiB", Defect: "responds with a body of 33 MiB",
			Script: but("on tools/call\n\t"+`result {"x":"$fill(34603008)"}`, "on tools/call\n\tresult {}"),
			Sight:  Sight{Call: "exceeds the limit of 32 MiB", Again: true, Within: 8 * time.Second}},
		{Name: "event-33MiB", Defect: "responds with an event of 33 MiB",
			Script: but("on tools/call\n\tsse\n\t"+`result {"x":"$fill(34603008)"}`, "on tools/call\n\tresult {}"),
			Sight:  Sight{Call: "exceeds the limit of 32 MiB", Again: true, Within: 8 * time.Second}},
	}
	for i := range servers {
		servers[i].HTTP = true
	}
	return append(servers, Server{Name: "gzip-bomb", Defect: "compresses 1 GiB into a small body", Handler: gzipBomb,
		Sight: Sight{Call: "exceeds the limit of 32 MiB", Within: 8 * time.Second}})
}

// gzipBomb is correct except for tools/call, to which it responds with a gigabyte of spaces.
func gzipBomb() http.Handler {
	sound := wiretest.New(called("header Content-Encoding: gzip", "header Content-Type: application/json", `write ""`))
	packed := packedSpaces(1 << 20)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sound.ServeHTTP(w, r)
		if w.Header().Get("Content-Encoding") != "gzip" {
			return
		}
		for range 1024 {
			if _, err := w.Write(packed); err != nil {
				return
			}
		}
	})
}

// packedSpaces is a gzip member of n spaces; members may be concatenated.
func packedSpaces(n int) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(bytes.Repeat([]byte{' '}, n))
	_ = w.Close()
	return out.Bytes()
}
