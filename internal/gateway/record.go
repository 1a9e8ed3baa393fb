package gateway

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// frames returns the log for the frames of one side of the gateway, under its name; nil if frames are not
// recorded.
func (r *gatewayRun) frames(name string) *wire.Transcript {
	if !r.w.Log.Watched() {
		return nil
	}
	return r.w.Log.Branch(name, nil)
}

// clientFrames is the name for frames between clients and the gateway; frames of a server use the name of the
// server.
const clientFrames = "clients"

// A recorder records frames between clients and the gateway.
type recorder struct {
	log   *wire.Transcript
	posts atomic.Int64
}

// recorded returns the handler, with frames recorded if recording is enabled.
func (r *gatewayRun) recorded(next http.Handler) http.Handler {
	if log := r.frames(clientFrames); log != nil {
		return (&recorder{log: log}).handler(next)
	}
	return next
}

// lines records the streams of a client on stdin and stdout.
func (rec *recorder) lines(in io.Reader, out io.Writer) (io.Reader, io.Writer) {
	read := &lineRecorder{record: func(line []byte) { rec.frame(wire.Client, "stdio", line) }}
	written := &lineRecorder{record: func(line []byte) { rec.frame(wire.Server, "stdio", line) }}
	return io.TeeReader(in, read), io.MultiWriter(written, out)
}

func (rec *recorder) frame(from wire.Side, stream string, body []byte) {
	rec.log.Record(wire.Frame{From: from, Stream: stream, Body: bytes.Clone(body)})
}

// A lineRecorder records each line written to it. A line longer than the message limit is recorded in parts.
type lineRecorder struct {
	record func(line []byte)

	mu   sync.Mutex
	rest []byte
}

// Write processes a part of the stream.
func (l *lineRecorder) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		line, rest, whole := bytes.Cut(l.rest, []byte("\n"))
		if !whole {
			break
		}
		if line = bytes.TrimRight(line, "\r"); len(line) > 0 {
			l.record(line)
		}
		l.rest = rest
	}
	if len(l.rest) > netguard.MaxBody {
		l.record(l.rest)
		l.rest = nil
	}
	return len(p), nil
}

// handler records the requests to a handler and its responses.
func (rec *recorder) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stream := fmt.Sprintf("%s-%d", strings.ToLower(r.Method), rec.posts.Add(1))
		body, err := io.ReadAll(io.LimitReader(r.Body, netguard.MaxBody+1))
		rec.log.Record(wire.Frame{From: wire.Client, Stream: stream, Header: r.Header.Clone(), Body: body})
		r.Body = replayBody{io.MultiReader(bytes.NewReader(body), failing{err}, r.Body), r.Body}
		recorded := &recordedResponse{ResponseWriter: w, rec: rec, stream: stream}
		defer recorded.end()
		next.ServeHTTP(recorded, r)
	})
}

// A replayBody is a request body that is read a second time.
type replayBody struct {
	io.Reader
	io.Closer
}

// failing is a reader that fails with the error, if there is one.
type failing struct{ err error }

// Read returns the error; the end of the input if there is none.
func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// A recordedResponse records what is written to a client: each event of a stream, or the whole body.
type recordedResponse struct {
	http.ResponseWriter
	rec    *recorder
	stream string

	mu     sync.Mutex
	status int
	body   []byte
	sent   bool // a frame with the status and the header was recorded
}

// Unwrap lets a ResponseController reach the connection.
func (w *recordedResponse) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader stores the status.
func (w *recordedResponse) WriteHeader(status int) {
	w.mu.Lock()
	w.status = status
	w.mu.Unlock()
	w.ResponseWriter.WriteHeader(status)
}

// Write passes on a part of the body. In a stream, each event is recorded when it is complete.
func (w *recordedResponse) Write(p []byte) (int, error) {
	w.mu.Lock()
	w.body = append(w.body, p...)
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		for {
			event, rest, whole := bytes.Cut(w.body, []byte("\n\n"))
			if !whole {
				break
			}
			w.body = rest
			if _, data, ok := bytes.Cut(event, []byte("data: ")); ok {
				w.recordLocked(data)
			}
		}
	}
	w.mu.Unlock()
	return w.ResponseWriter.Write(p)
}

func (w *recordedResponse) recordLocked(body []byte) {
	f := wire.Frame{From: wire.Server, Stream: w.stream, Body: bytes.Clone(body)}
	if !w.sent {
		w.sent, f.Status, f.Header = true, max(w.status, http.StatusOK), w.Header().Clone()
	}
	w.rec.log.Record(f)
}

// end records what has not been recorded: a body that is not a stream, or a response without one.
func (w *recordedResponse) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.body) > 0 || !w.sent {
		w.recordLocked(w.body)
	}
}
