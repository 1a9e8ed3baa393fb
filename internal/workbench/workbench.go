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

	"github.com/mcptest-dev/mcptest/internal/guard"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// A Workbench is what operations work with. Everything from outside enters here.
type Workbench struct {
	Version    string
	System     target.System        // the machine: what a name means on it
	Builtins   target.Builtins      // the servers inside this program
	Supervisor []string             // see wire.Target
	Secrets    *redact.Secrets      // learns the secrets that targets are given; may be nil
	Log        *wire.Transcript     // where frames are recorded; may be nil
	Client     mcp.Options          // the handlers that answer servers
	Notify     func(Event)          // hears of what happens on the way; may be nil
	Tokens     *auth.Store          // the user's tokens, used for exactly the servers that they are for; nil uses none
	Reveal     bool                 // leave secrets in what is shown of the way to a token
	Grants     Grants               // what operations may use of the user's machine
	Granted    func(id string) bool // what the user granted beyond that, by the ID of a GrantRequest; may be nil
	In         io.Reader            // the standard streams, for operations that serve on them
	Out, Err   io.Writer

	// Browse opens an address in the person's browser; nil where there is none.
	Browse func(ctx context.Context, address string) error

	// Ask asks a person for the arguments of a tool, given its input schema, until check forbids nothing of them; nil
	// where there is nobody to ask.
	Ask func(ctx context.Context, title string, inputSchema json.RawMessage, check func(json.RawMessage) []schema.Violation) (json.RawMessage, error)

	// Yield closes the session of an operation, so that another process of its server can be started; nil closes the session
	// itself.
	Yield func()

	// Screen shows on a terminal what an operation does as long as it runs; nil where there is no terminal.
	Screen *Screen

	mu   sync.Mutex
	open []*mcp.Session
}

// An Event is something that happens while an operation runs.
type Event struct {
	Progress *mcp.Progress // of the call under way
	Notice   string        // a departure from the protocol
	Chosen   string        // something that was decided on the way, such as the revision to speak
	Message  *mcp.Message  // a notification from the server, by the way
	Update   *mcp.Message  // a notification that the operation is about
	Log      *mcp.Message  // a log message that was asked for
	Step     *Step         // how far the operation has come
	Line     string        // a line of a log for people who cannot see a bar move
	Waiting  string        // what is being waited for, again and again until it is Over
	Over     bool          // no more steps come for now: what shows them can go
	Auth     *auth.Step    // a step of the way to a token, as it stands
}

// A Step is how far a run of checks, tests or cases has come.
type Step struct {
	Done     int    `json:"done"`
	Total    int    `json:"total,omitempty"` // 0 where nobody knows
	Findings int    `json:"findings"`        // so far
	Text     string `json:"text,omitempty"`  // what is under way
}

// Progress is the step as a server would tell it.
func (s Step) Progress() mcp.Progress {
	text := s.Text
	if s.Findings > 0 {
		text = strings.TrimSpace(plural(s.Findings, "finding") + "  " + text)
	}
	return mcp.Progress{Done: float64(s.Done), Total: float64(s.Total), Message: text}
}

// A Connection says which server an operation is for and how to talk to it. Every operation that needs a server
// embeds it.
type Connection struct {
	Target   string        `json:"target,omitempty" cli:"target" jsonschema:"a URL, the name of a configured server, demo, demo-guide or demo-flawed"`
	Command  []string      `json:"command,omitempty" cli:"command" jsonschema:"the command that starts the server, as argv"`
	Env      []string      `json:"env,omitempty" placeholder:"K[=V]" jsonschema:"a variable for the server's environment; without a value, ours is passed on"`
	Cwd      string        `json:"cwd,omitempty" placeholder:"DIR" jsonschema:"the directory that the server runs in"`
	Header   []string      `json:"header,omitempty" placeholder:"'NAME: VALUE'" jsonschema:"an HTTP header; a value of @FILE or $VAR is read from there, so that no secret stands in a process list"`
	Timeout  time.Duration `json:"timeout,omitempty" placeholder:"D" jsonschema:"how long the server may stay silent before a request has failed (default 1m; conform 5s once the server has greeted); to start a server, at least 2m with a launcher such as npx"`
	Protocol string        `json:"protocol,omitempty" placeholder:"REV" jsonschema:"the revision to speak: auto or a date such as 2025-06-18"`
	Config   string        `json:"config,omitempty" placeholder:"FILE" jsonschema:"the config file that names servers, instead of those of the hosts on this machine"`
	Insecure bool          `json:"insecure,omitempty" jsonschema:"accept any TLS certificate; for local tests only"`
	LogLevel string        `json:"log_level,omitempty" placeholder:"LEVEL" jsonschema:"ask the server for log messages of this level and above"`

	open   *mcp.Session // set when the operation is to use a session that is open already
	beside *mcp.Session // set when one is open that the operation does not use
}

// On makes an operation use a session that is open already, and stays open.
func (c *Connection) On(s *mcp.Session) { c.open = s }

// Open connects to the server that the connection names. Close ends the session with all others.
func (w *Workbench) Open(ctx context.Context, c *Connection) (*mcp.Session, error) {
	if c.open != nil {
		return c.open, nil
	}
	s, err := w.connect(ctx, c, w.Client)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.open = append(w.open, s)
	w.mu.Unlock()
	w.event(Event{Chosen: fmt.Sprintf("speaking %s (%s): %s", s.Version, s.Era, s.Why)})
	return s, nil
}

// connect opens a session that is the caller's to close, with handlers of its own.
func (w *Workbench) connect(ctx context.Context, c *Connection, opts mcp.Options) (*mcp.Session, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	t, err := w.resolve(c)
	if err != nil {
		return nil, err
	}
	return w.dial(ctx, c, t, opts)
}

// dial opens a session with a server that has been found.
func (w *Workbench) dial(ctx context.Context, c *Connection, t wire.Target, opts mcp.Options) (*mcp.Session, error) {
	opts.Client = mcp.Implementation{Name: "mcptest", Version: w.Version, Title: "mcptest"}
	opts.Protocol, opts.Timeout, opts.LogLevel = c.Protocol, c.Timeout, c.LogLevel
	opts.Tasks = true
	opts.OnNotice = func(n mcp.Notice) {
		w.event(Event{Notice: fmt.Sprintf("frame %d: %s", n.Frame, n.Text)})
	}
	if opts.OnNotification == nil {
		opts.OnNotification = func(m mcp.Message) { w.event(c.heard(m)) }
	}
	t = w.authorized(ctx, t)
	defer w.awaiting(t)()
	return mcp.Connect(ctx, t, w.Log, &opts)
}

// LogLevels are the levels of log messages, the least grave first.
var LogLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// check refuses what cannot be meant, before anything is started.
func (c *Connection) check() error {
	switch {
	case c.Protocol != "" && c.Protocol != mcp.Auto && !slices.Contains(spec.IDs(), c.Protocol):
		return &UsageError{Message: fmt.Sprintf("--protocol is %q", c.Protocol), Hint: "auto, or one of " + strings.Join(spec.IDs(), ", ")}
	case c.LogLevel != "" && !slices.Contains(LogLevels, c.LogLevel):
		return &UsageError{Message: fmt.Sprintf("--log-level is %q", c.LogLevel), Hint: "one of " + strings.Join(LogLevels, ", ")}
	case c.Timeout < 0:
		return &UsageError{Message: fmt.Sprintf("--timeout is %v", c.Timeout), Hint: "a time such as 30s; 0 means the default of a minute"}
	}
	return nil
}

// heard is the event of a notification.
func (c *Connection) heard(m mcp.Message) Event {
	if c.LogLevel != "" && m.Method == "notifications/message" {
		return Event{Log: &m}
	}
	return Event{Message: &m}
}

// Close ends the sessions that were opened, all at once, for a caller that exits: a server may take seconds to exit, and
// its supervisor waits for that.
func (w *Workbench) Close() error {
	w.mu.Lock()
	sessions := w.open
	w.open = nil
	w.mu.Unlock()
	errs := make([]error, len(sessions))
	var wg sync.WaitGroup
	for i, s := range sessions {
		wg.Go(func() { errs[i] = s.Release() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// resolve finds the server that the connection names.
func (w *Workbench) resolve(c *Connection) (wire.Target, error) {
	found, err := w.find(c)
	if err != nil {
		return wire.Target{}, err
	}
	return found.Target, nil
}

// find finds the server that the connection names, with what is to be known about it.
func (w *Workbench) find(c *Connection) (*target.Resolved, error) {
	spec := target.Spec{Command: c.Command, Env: c.Env, Cwd: c.Cwd, Header: c.Header, Config: c.Config, FromAPI: !w.Grants.Environment}
	if c.Target != "" {
		spec.Args = []string{c.Target}
	}
	found, err := target.Resolve(w.System, spec, w.Builtins)
	if err != nil {
		return nil, err
	}
	for _, note := range found.Notes {
		w.event(Event{Notice: note})
	}
	if len(found.Target.Command) > 0 && !w.Grants.Processes {
		return nil, notGranted("start a program")
	}
	if found.Target.URL != "" && !w.Grants.Private {
		found.Target.DialContext = guard.Dialer(&guard.DialOptions{}).DialContext
	}
	w.Secrets.Join(found.Secrets)
	found.Target.Supervisor, found.Target.Insecure = w.Supervisor, c.Insecure
	if c.Insecure {
		w.event(Event{Notice: "TLS certificates are not checked (--insecure)"})
	}
	return found, nil
}

func (w *Workbench) event(e Event) {
	if w.Notify != nil {
		w.Notify(e)
	}
}
