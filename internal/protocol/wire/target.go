package wire

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// A Target says how to reach one server. Exactly one of Command, URL and Serve is set.
type Target struct {
	Name string // how people call it; used in messages

	Command []string // argv; never given to a shell
	Env     []string // the child's whole environment, "KEY=value"; nil means BaseEnv
	Dir     string   // the child's working directory; empty means ours

	URL    string
	Header http.Header // sent with each HTTP request
	Kind   Kind        // which HTTP transport; the zero value lets the caller find out

	// Credentials authorise each HTTP request, and are asked for better ones when one is refused; nil adds nothing.
	Credentials Credentials

	// DialContext makes the TCP connections of HTTP exchanges; a caller can watch there which addresses are reached. No
	// proxy is used with it, since that would connect in our place. nil means the system's way.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)

	Insecure bool // accept any TLS certificate; for local use, always said aloud
	MaxFrame int  // bytes of one message at most; 0 means DefaultMaxFrame

	// Serve is a server in this process: it reads frames as lines from in and writes them to out until in ends.
	Serve func(ctx context.Context, in io.Reader, out io.Writer) error

	// Stream names the frames of a process in the transcript; empty means "stdio". A name of its own keeps two
	// processes of the same server apart.
	Stream string

	// OnStderr hears what a process writes to its standard error, as it comes; it must not keep the bytes.
	OnStderr func([]byte)

	// Grace is how long each step of ending a process may take: its input is closed, it is asked to terminate, it is
	// killed, its supervisor is killed. 0 means 2 seconds.
	Grace time.Duration

	// Supervisor is the argv that runs Supervise in a process of its own (Linux); a command is started through it, so
	// that nothing that the server starts outlives us, whatever kills us. Empty starts the command directly.
	Supervisor []string

	// LastWords has recorded what a process says after its input was closed, up to a hundred frames. Otherwise that is dropped.
	LastWords bool

	// OnLeft hears how many processes a supervised server that exited by itself has left behind. They have [Linger] to end, too,
	// before they are killed. It is never called where nobody watches that.
	OnLeft func(count int)

	// Leaves lets stay what a supervised command that exited by itself has left in process groups of its own. All ends with us
	// while the command runs.
	Leaves bool
}

// DefaultMaxFrame is the size from which a message is no longer taken in: 32 MiB.
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
	return closeGrace
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

// Transport tells which transport the target is reached by.
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

// String names the target for a person: its name if it has one, or what it is. It holds no header, no environment and
// no query.
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
