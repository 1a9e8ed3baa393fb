package wire

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// A Conn is one connection to a server. Send and Recv may be used concurrently, and Send by several goroutines.
type Conn interface {
	// Send sends a frame to the server and returns it as recorded. Over HTTP it returns as soon as the request
	// is in flight: the response arrives through Recv, with the Stream of the returned frame.
	Send(ctx context.Context, f Frame) (Frame, error)
	// Recv returns the next frame from the server. After the last one it returns the reason for the end: io.EOF or
	// an *Error.
	Recv(ctx context.Context) (Frame, error)
	// Close closes the connection and stops everything that was started for it. It may be called twice.
	Close() error
}

// A Streamer is a Conn whose exchanges are HTTP streams that can be opened and closed individually.
type Streamer interface {
	Conn
	// Listen opens a GET stream and returns its name. Messages of the server on it arrive through Recv.
	Listen(header http.Header) string
	// Opened returns a channel that is closed once the server has responded to the request that opened the
	// stream, even if only with a header, or once the stream has ended.
	Opened(stream string) <-chan struct{}
	// Delete ends the server's session with a DELETE request and returns the response.
	Delete(ctx context.Context, header http.Header) (Frame, error)
	// Cut closes one stream. Nothing more arrives on it.
	Cut(stream string)
}

// A Feeder is a Conn that can pass frames to a function instead of queueing them for Recv.
type Feeder interface {
	Conn
	// Feed passes every further frame to take, in order and on the goroutine that read it. Recv then returns
	// only the reason for the end, after the last frame was taken. It must be called once, before Recv.
	Feed(take func(Frame))
}

// A Child is a Conn to a process that we started.
type Child interface {
	Conn
	// Pid returns the process ID of the server, or of its supervisor.
	Pid() int
	// Stderr returns the last stderr output of the process.
	Stderr() string
	// Unfinished returns the beginning of the line that the process has started but not ended, and its size so far.
	Unfinished() (line []byte, size int)
	// Activity returns what the process does now.
	Activity() Activity
	// AwaitEarlier waits until no other process of the same command is shutting down, started by this or an
	// earlier mcptest. It reports whether there was one when this process was started: it may have caused a
	// conflict.
	AwaitEarlier(ctx context.Context) bool
	// Release closes the input of the process and leaves its shutdown to its supervisor, without waiting for
	// it. It reports whether there is a supervisor; without one, Close ends the process.
	Release() bool
	// CloseFast limits each step of ending the process in Close to grace.
	CloseFast(grace time.Duration)
}

// Dial connects to the target and records every frame in the transcript, which may be nil.
func Dial(ctx context.Context, t Target, log *Transcript) (Conn, error) {
	log = log.connection()
	switch t.Transport() {
	case InProcess:
		return dialInProcess(t, log), nil
	case Stdio:
		return dialStdio(t, log)
	case StreamableHTTP:
		return dialHTTP(t, log)
	case HTTPWithSSE:
		return dialSSE(ctx, t, log)
	}
	return nil, fmt.Errorf("unknown transport %q, expected http or sse", t.Kind)
}
