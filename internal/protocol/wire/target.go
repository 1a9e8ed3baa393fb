package wire

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// A Target defines how to reach one server. Exactly one of Command, URL and Serve is set.
type Target struct {
	Name string // display name; used in messages

	Command []string // argv; never passed to a shell
	Env     []string // the child's whole environment, "KEY=value"; nil means BaseEnv
	Dir     string   // the child's working directory; empty means ours

	URL    string
	Header http.Header // sent with each HTTP request
	Kind   Kind        // which HTTP transport; the zero value means automatic detection

	// Credentials authorize each HTTP request, and are renewed when one is rejected; nil adds nothing.
	Credentials Credentials

	// DialContext opens the TCP connections of HTTP exchanges; a caller can check there which addresses are
	// reached. No proxy is used with it, since the proxy would connect in our place. nil means the default.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)

	Insecure bool // accept any TLS certificate; for local use, always reported to the user
	MaxFrame int  // maximum bytes of one message; 0 means DefaultMaxFrame

	// Serve is a server in this process: it reads frames as lines from in and writes them to out until in ends.
	Serve func(ctx context.Context, in io.Reader, out io.Writer) error

	// Stream is the name for frames of a process in the transcript; empty means "stdio". A unique name
	// distinguishes two processes of the same server.
	Stream string

	// OnStderr is called with the stderr output of a process; it must not keep the bytes.
	OnStderr func([]byte)

	// Grace is how long each step of ending a process may take: its input is closed, it is asked to terminate,
	// it is killed, its supervisor is killed. 0 means 2 seconds.
	Grace time.Duration

	// OnBusy, if set, gives a process that still works more time to exit after its input was closed: while it uses or
	// waits for a CPU, Grace does not pass, for up to 20 seconds. It is called with that time when the process has
	// exited or Grace has passed.
	OnBusy func(time.Duration)

	// Supervisor is the argv that runs Supervise in a separate process (Linux); a command is started through
	// it, so that no descendant of the server outlives us, however we end. Empty starts the command directly.
	Supervisor []string

	// LastWords records the messages of a process after its input was closed, up to a hundred frames. Otherwise
	// they are dropped.
	LastWords bool

	// OnLeft is called with the number of processes that a supervised server left behind when it exited by
	// itself. They have [supervise.LingerTime] to exit before they are killed. It is never called on systems where that is
	// not checked.
	OnLeft func(count int)

	// Leaves keeps the descendants of a supervised command that exited by itself, if they are in separate
	// process groups. While the command is running, all of them end with us.
	Leaves bool

	// Relay means that our own parent should notice no difference from starting the command itself: the command
	// keeps the limits of the user and its descendants, and if we are killed it sees the end of its input before
	// it is ended.
	Relay bool
}

// DefaultMaxFrame is the default size limit of a message: 32 MiB.
const DefaultMaxFrame = 32 << 20

// cutKeep is how much of a message over the limit is kept as evidence.
const cutKeep = 64 << 10

func (t Target) maxFrame() int {
	if t.MaxFrame > 0 {
		return t.MaxFrame
	}
	return DefaultMaxFrame
}

func (t Target) grace() time.Duration {
	if t.Grace > 0 {
		return t.Grace
	}
	return supervise.CloseGrace
}

func (t Target) stream() string {
	if t.Stream != "" {
		return t.Stream
	}
	return string(Stdio)
}

// A Kind is a transport.
type Kind string

// The transports.
const (
	Stdio          Kind = "stdio"
	StreamableHTTP Kind = "http"
	HTTPWithSSE    Kind = "sse" // the transport of 2024-11-05
	InProcess      Kind = "in-process"
)

// Phrase returns the kind of a transport for a sentence: "over stdio", "in-process".
func (k Kind) Phrase() string {
	if k == InProcess {
		return string(k)
	}
	return "over " + string(k)
}

// Transport returns the transport of the target.
func (t Target) Transport() Kind {
	switch {
	case t.Serve != nil:
		return InProcess
	case len(t.Command) > 0:
		return Stdio
	case t.Kind != "":
		return t.Kind
	}
	return StreamableHTTP
}

// String returns the display name of the target: its name if it has one, or a description. It contains no
// header, no environment and no query.
func (t Target) String() string {
	switch {
	case t.Name != "":
		return t.Name
	case len(t.Command) > 0:
		return strings.Join(t.Command, " ")
	case t.URL != "":
		address, _, _ := strings.Cut(t.URL, "?")
		return address
	}
	return "in-process server"
}
