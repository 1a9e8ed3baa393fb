package wire

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// A Conn is one connection to a server. Send and Recv may be used at the same time, and Send by many at once.
type Conn interface {
	// Send passes a frame to the server and returns it as it was recorded. Over HTTP it returns as soon as the
	// request is under way: what becomes of it arrives by Recv, under the Stream of the returned frame.
	Send(ctx context.Context, f Frame) (Frame, error)
	// Recv returns the next frame from the server. After the last one it returns the reason for the end: io.EOF or
	// an *Error.
	Recv(ctx context.Context) (Frame, error)
	// Close ends the connection, and with it everything that was started for it. It may be called twice.
	Close() error
}

// A Streamer is a Conn whose exchanges are HTTP streams that can be opened and cut one by one.
type Streamer interface {
	Conn
	// Listen opens a GET stream and returns its name. What the server says on it arrives by Recv.
	Listen(header http.Header) string
	// Opened returns a channel that is closed once the server has answered the request that opened the stream, were it
	// only with a header, or once the stream has ended.
	Opened(stream string) <-chan struct{}
	// Delete ends the server's session with a DELETE request and returns the answer.
	Delete(ctx context.Context, header http.Header) (Frame, error)
	// Cut closes one stream. Nothing more arrives on it.
	Cut(stream string)
}

// A Feeder is a Conn that can hand frames to a function instead of keeping them for Recv.
type Feeder interface {
	Conn
	// Feed has every further frame handed to take, in order and by the goroutine that read it. Recv returns only the
	// reason for the end then, after the last frame was taken. It is called once, before Recv.
	Feed(take func(Frame))
}

// A Child is a Conn to a process that we started.
type Child interface {
	Conn
	// Pid is the process id of the server, or of its supervisor.
	Pid() int
	// Stderr is the end of what the process wrote to its standard error.
	Stderr() string
	// Unfinished is the beginning of the line that the process has written without its end so far, and its size.
	Unfinished() (line []byte, size int)
	// Activity is what the process does now.
	Activity() Activity
	// AwaitEarlier waits until no other process of the same command is being ended, by this program or by one before it.
	// It reports whether there was one when this process was started: it may have been in the way.
	AwaitEarlier(ctx context.Context) bool
	// Release ends the input of the process and leaves its end to its supervisor, without waiting for it. It reports
	// whether there is a supervisor; without one, Close ends the process.
	Release() bool
	// Hurry has Close take no more than grace for each step of ending the process.
	Hurry(grace time.Duration)
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
	return nil, fmt.Errorf("unknown transport %q; want http or sse", t.Kind)
}
