package frames

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// PlainCall is a request that every server with tools supports.
const PlainCall = `{"jsonrpc":"2.0","id":"fuzz","method":"tools/list","params":{}}`

// overHTTP are specific to HTTP: headers that contradict the body or each other, and bodies that are slow or
// truncated.
func overHTTP(version string) []Malformed {
	var all []Malformed
	for _, c := range []struct {
		says   string
		header []string
	}{
		{"an unknown revision in the header", []string{"Mcp-Protocol-Version", "1900-01-01"}},
		{"a different revision in the header", []string{"Mcp-Protocol-Version", otherRevision(version)}},
		{"a different method in the header", []string{"Mcp-Method", "tools/call"}},
		{"a different name in the header", []string{"Mcp-Name", "no-such-tool"}},
		{"an unknown session ID", []string{"Mcp-Session-Id", "nobody"}},
		{"an empty session ID", []string{"Mcp-Session-Id", ""}},
		{"a content type that is not JSON", []string{"Content-Type", "text/plain"}},
		{"an invalid content type", []string{"Content-Type", "\u00ff"}},
		{"an Accept header without a supported type", []string{"Accept", "image/png"}},
		{"a very long header", []string{"X-Fuzz", strings.Repeat("x", 6000)}},
		{"a body wrongly declared as compressed", []string{"Content-Encoding", "gzip"}},
		{"an unknown event ID to resume from", []string{"Last-Event-ID", "nobody"}},
	} {
		all = append(all, Malformed{c.says, rawjson.Quote(c.header[0] + ": " + clip.Sized(c.header[1], maxDisplayed)),
			func(ctx context.Context, s *mcp.Session) {
				Exchange(ctx, s, http.MethodPost, strings.NewReader(PlainCall), int64(len(PlainCall)), c.header[0],
					c.header[1])
			}})
	}
	for _, method := range []string{http.MethodPut, http.MethodPatch, http.MethodHead, http.MethodOptions, "FUZZ"} {
		all = append(all, Malformed{"the method " + method, rawjson.Quote(method),
			func(ctx context.Context, s *mcp.Session) {
				Exchange(ctx, s, method, strings.NewReader(PlainCall), int64(len(PlainCall)))
			}})
	}
	half := PlainCall[:len(PlainCall)/2]
	long := half + strings.Repeat(" ", 8<<10) // more than the send buffer holds
	return append(all,
		Malformed{"a truncated body", rawjson.Quote(half), func(ctx context.Context, s *mcp.Session) {
			Exchange(ctx, s, http.MethodPost, io.MultiReader(strings.NewReader(long), cut{}), int64(2*len(long)))
		}},
		Malformed{"a truncated chunked body", rawjson.Quote(half), func(ctx context.Context, s *mcp.Session) {
			Exchange(ctx, s, http.MethodPost, io.MultiReader(strings.NewReader(long), cut{}), -1)
		}},
		Malformed{"a slow body", rawjson.Quote(PlainCall), func(ctx context.Context, s *mcp.Session) {
			Exchange(ctx, s, http.MethodPost, &slow{ctx, PlainCall}, int64(len(PlainCall)))
		}},
		Malformed{"a call that is abandoned", rawjson.Quote(PlainCall), func(ctx context.Context, s *mcp.Session) {
			short, cancel := context.WithTimeout(ctx, time.Millisecond)
			defer cancel()
			Exchange(short, s, http.MethodPost, strings.NewReader(PlainCall), int64(len(PlainCall)))
		}},
	)
}

func otherRevision(version string) string {
	if version == spec.March2025 {
		return spec.June2025
	}
	return spec.March2025
}

// A cut is a body that ends with an error: the connection is closed in the middle.
type cut struct{}

func (cut) Read([]byte) (int, error) { return 0, errors.New("cut") }

// A slow body sends a few bytes at a time.
type slow struct {
	ctx  context.Context
	left string
}

func (s *slow) Read(p []byte) (int, error) {
	if s.left == "" {
		return 0, io.EOF
	}
	select {
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	case <-time.After(20 * time.Millisecond):
	}
	n := copy(p, s.left[:min(8, len(s.left))])
	s.left = s.left[n:]
	return n, nil
}

// notices is the time that a server is given to notice that a connection was closed.
const notices = 30 * time.Millisecond

// maxResponse is how much of a response to a disturbance is read.
const maxResponse = 64 << 10

// Exchange performs one HTTP exchange like the session, with the given differences. It returns the status and the
// beginning of the response; 0 if there is none.
func Exchange(ctx context.Context, s *mcp.Session, method string, body io.Reader, length int64, header ...string) (int,
	string) {
	t := s.Target()
	request, err := http.NewRequestWithContext(ctx, method, t.URL, body)
	if err != nil {
		return 0, ""
	}
	request.ContentLength = length
	for name, values := range t.Header {
		request.Header[name] = values
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Mcp-Protocol-Version", s.Version)
	if id := SessionID(s); id != "" {
		request.Header.Set("Mcp-Session-Id", id)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	client := t.HTTPClient()
	defer client.CloseIdleConnections()
	answer, err := client.Do(request)
	if err != nil {
		time.Sleep(notices) // it has to notice before the health check
		return 0, ""
	}
	defer func() { _ = answer.Body.Close() }()
	if method != http.MethodPost {
		return answer.StatusCode, "" // a stream may never end
	}
	text, _ := io.ReadAll(io.LimitReader(answer.Body, maxResponse))
	return answer.StatusCode, string(text)
}

// SessionID is the ID that the server assigned to the session; empty if there is none.
func SessionID(s *mcp.Session) string {
	if s.Handshake == nil {
		return ""
	}
	return s.Handshake.Header.Get("Mcp-Session-Id")
}
