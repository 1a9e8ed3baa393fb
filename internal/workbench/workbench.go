package workbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// A Workbench is the environment of operations. Everything external is injected here.
type Workbench struct {
	Version    string
	System     target.System    // resolves names on this machine
	Builtins   target.Builtins  // the built-in servers
	Supervisor []string         // see wire.Target
	Secrets    *redact.Secrets  // collects the secrets of targets; may be nil
	Log        *wire.Transcript // where frames are recorded; may be nil
	Client     mcp.Options      // the handlers that answer servers
	Notify     func(Event)      // receives events; may be nil
	Tokens     *auth.Store      // the user's tokens, each used only for its server; nil uses none
	Reveal     bool             // do not redact secrets in the authorization steps
	Grants     Grants           // what operations may use of the user's machine
	// reports what the user granted in addition, by the ID of a GrantRequest; may be nil
	Granted  func(id string) bool
	In       io.Reader // the standard streams, for operations that serve on them
	Out, Err io.Writer

	// Browse opens a URL in the user's browser; nil if there is none.
	Browse func(ctx context.Context, address string) error

	// Ask prompts the user for the arguments of a tool, given its input schema, until check finds no
	// violations; nil if there is no terminal.
	Ask func(ctx context.Context, title string, inputSchema json.RawMessage,
		check func(json.RawMessage) []schema.Violation) (json.RawMessage, error)

	// Yield closes the session of an operation, so that another process of its server can be started; nil closes the
	// session itself.
	Yield func()

	// Screen shows a running operation on a terminal; nil if there is none.
	Screen *Screen
	// Page serves the page with a recorded session until the context ends; only on the command line.
	Page func(ctx context.Context, dir string, s *tap.Session) error

	mu   sync.Mutex
	open []*mcp.Session
}

// An Event is something that happens while an operation runs.
type Event struct {
	Progress *mcp.Progress // of the call in flight
	Notice   string        // a protocol violation
	Chosen   string        // a decision, such as the selected revision
	Message  *mcp.Message  // a notification from the server, incidental to the operation
	Update   *mcp.Message  // a notification that the operation waits for
	Log      *mcp.Message  // a requested log message
	Step     *Step         // progress of the operation
	Line     string        // a log line for output without a progress bar
	Waiting  string        // what is being waited for, repeated until it is Over
	Over     bool          // no more steps for now: the progress display can be removed
	Auth     *auth.Step    // an authorization step in its current state
}

// A Step is the progress of a run of checks, tests or cases.
type Step struct {
	Part     string `json:"-"` // the engine, where several run at the same time
	Done     int    `json:"done"`
	Total    int    `json:"total,omitempty"` // 0 if unknown
	Findings int    `json:"findings"`        // so far
	Text     string `json:"text,omitempty"`  // what is running
}

// Progress returns the step as an MCP progress value.
func (s Step) Progress() mcp.Progress {
	text := s.Text
	if s.Findings > 0 {
		text = strings.TrimSpace(Plural(s.Findings, "finding") + "  " + text)
	}
	return mcp.Progress{Done: float64(s.Done), Total: float64(s.Total), Message: text}
}

// A Connection selects the server of an operation and how to connect to it. Every operation that needs a server
// embeds it.
type Connection struct {
	Target   string        `json:"target,omitempty" cli:"target" jsonschema:"a URL, the name of a configured server, demo, demo-guide or demo-flawed"`
	Command  []string      `json:"command,omitempty" cli:"command" jsonschema:"the command that starts the server, as argv"`
	Env      []string      `json:"env,omitempty" placeholder:"K[=V]" jsonschema:"set an environment variable for the server; without a value, inherit it"`
	Cwd      string        `json:"cwd,omitempty" placeholder:"DIR" jsonschema:"working directory of the server"`
	Header   []string      `json:"header,omitempty" placeholder:"'NAME: VALUE'" jsonschema:"add an HTTP header; use @FILE or $VAR as the value to keep secrets out of the process list"`
	Timeout  time.Duration `json:"timeout,omitempty" placeholder:"D" jsonschema:"request timeout (default 1m; conform 5s after the handshake); startup timeout is at least 2m with a launcher such as npx"`
	Protocol string        `json:"protocol,omitempty" placeholder:"REV" jsonschema:"protocol version: auto or a date such as 2025-06-18"`
	Config   string        `json:"config,omitempty" placeholder:"FILE" jsonschema:"read servers from this config file instead of the hosts' config files"`
	Insecure bool          `json:"insecure,omitempty" jsonschema:"accept any TLS certificate; for local tests only"`
	LogLevel string        `json:"log_level,omitempty" placeholder:"LEVEL" jsonschema:"request log messages of this level and above"`

	Extensions string `json:"extensions,omitempty" surface:"cli" placeholder:"LIST" jsonschema:"the extensions that the client declares: ui, skills, tasks, separated by commas, or none (default all)"`

	open   *mcp.Session // set if the operation must use an open session
	beside *mcp.Session // set if a session is open that the operation does not use
}

// On makes an operation use an open session, which stays open.
func (c *Connection) On(s *mcp.Session) { c.open = s }

// Session returns the open session that the operation must use; nil if it opens its own.
func (c *Connection) Session() *mcp.Session { return c.open }

// Beside names a session that is open and that the operation does not use.
func (c *Connection) Beside(s *mcp.Session) { c.beside = s }

// Open connects to the server of the connection. Close closes the session with all others.
func (w *Workbench) Open(ctx context.Context, c *Connection) (*mcp.Session, error) {
	if c.open != nil {
		return c.open, nil
	}
	s, err := w.Connect(ctx, c, w.Client)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.open = append(w.open, s)
	w.mu.Unlock()
	w.Event(Event{Chosen: fmt.Sprintf("using %s (%s): %s", s.Version, s.Era, s.Why)})
	return s, nil
}

// Connect opens a session that the caller must close, with its own handlers.
func (w *Workbench) Connect(ctx context.Context, c *Connection, opts mcp.Options) (*mcp.Session, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	t, err := w.Resolve(c)
	if err != nil {
		return nil, err
	}
	return w.Dial(ctx, c, t, opts)
}

// Dial opens a session with a resolved server.
func (w *Workbench) Dial(ctx context.Context, c *Connection, t wire.Target, opts mcp.Options) (*mcp.Session, error) {
	opts.Client = mcp.Implementation{Name: "mcptest", Version: w.Version, Title: "mcptest"}
	opts.Protocol, opts.Timeout, opts.LogLevel = c.Protocol, c.Timeout, c.LogLevel
	c.Declare(&opts)
	opts.OnNotice = func(n mcp.Notice) {
		w.Event(Event{Notice: fmt.Sprintf("frame %d: %s", n.Frame, n.Text)})
	}
	if opts.OnNotification == nil {
		opts.OnNotification = func(m mcp.Message) { w.Event(c.onMessage(m)) }
	}
	t = w.Authorized(ctx, t)
	defer w.ShowWaiting(t)()
	return mcp.Connect(ctx, t, w.Log, &opts)
}

// LogLevels are the levels of log messages, least severe first.
var LogLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// Check rejects invalid options before anything is started.
func (c *Connection) Check() error {
	switch {
	case c.Protocol != "" && c.Protocol != mcp.Auto && !slices.Contains(spec.IDs(), c.Protocol):
		return &UsageError{Message: fmt.Sprintf("invalid value %q for --protocol", c.Protocol),
			Hint: hint.Text("use auto, or one of " + strings.Join(spec.IDs(), ", "))}
	case c.LogLevel != "" && !slices.Contains(LogLevels, c.LogLevel):
		return &UsageError{Message: fmt.Sprintf("invalid value %q for --log-level", c.LogLevel),
			Hint: hint.Text("use one of " + strings.Join(LogLevels, ", "))}
	case UnknownExtension(c.Extensions) != "":
		return &UsageError{Message: fmt.Sprintf("invalid value %q for --extensions", UnknownExtension(c.Extensions)),
			Hint: hint.Text("use " + NoExtensions + ", or some of " + strings.Join(ExtensionNames, ","))}
	case c.Timeout < 0:
		return &UsageError{Message: fmt.Sprintf("invalid value %v for --timeout", c.Timeout),
			Hint: "use a duration such as 30s; 0 means the default of 1m"}
	}
	return nil
}

// onMessage returns the event for a notification.
func (c *Connection) onMessage(m mcp.Message) Event {
	if c.LogLevel != "" && m.Method == "notifications/message" {
		return Event{Log: &m}
	}
	return Event{Message: &m}
}

// Close closes all open sessions concurrently, for a caller that exits: a server may take seconds to exit, and
// its supervisor waits for that.
func (w *Workbench) Close() error { return w.endSessions((*mcp.Session).Release) }

// CloseAndWait closes all open sessions and waits until the processes of their servers have exited, for a caller that
// starts them again: some servers allow one process at a time.
func (w *Workbench) CloseAndWait() error { return w.endSessions((*mcp.Session).Close) }

// endSessions ends all open sessions concurrently.
func (w *Workbench) endSessions(end func(*mcp.Session) error) error {
	w.mu.Lock()
	sessions := w.open
	w.open = nil
	w.mu.Unlock()
	errs := make([]error, len(sessions))
	var wg sync.WaitGroup
	for i, s := range sessions {
		wg.Go(func() { errs[i] = end(s) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// Resolve finds the server of the connection.
func (w *Workbench) Resolve(c *Connection) (wire.Target, error) {
	found, err := w.Find(c)
	if err != nil {
		return wire.Target{}, err
	}
	return found.Target, nil
}

// Find finds the server of the connection, with notes about it.
func (w *Workbench) Find(c *Connection) (*target.Resolved, error) {
	spec := target.Spec{Command: c.Command, Env: c.Env, Cwd: c.Cwd, Header: c.Header, Config: c.Config,
		FromAPI: !w.Grants.Environment}
	if c.Target != "" {
		spec.Args = []string{c.Target}
	}
	found, err := target.Resolve(w.System, spec, w.Builtins)
	if err != nil {
		return nil, err
	}
	for _, note := range found.Notes {
		w.Event(Event{Notice: note})
	}
	if len(found.Target.Command) > 0 && !w.Grants.Processes {
		return nil, notGranted("start a program")
	}
	if found.Target.URL != "" && !w.Grants.Private {
		found.Target.DialContext = netguard.Dialer(&netguard.DialOptions{}).DialContext
	}
	w.Secrets.Join(found.Secrets)
	found.Target.Supervisor, found.Target.Insecure = w.Supervisor, c.Insecure
	if c.Insecure {
		w.Event(Event{Notice: "TLS certificate verification is disabled (--insecure)"})
	}
	return found, nil
}

func (w *Workbench) Event(e Event) {
	if w.Notify != nil {
		w.Notify(e)
	}
}
