package workbench

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/guard"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// A Policy says what someone who is not at the keyboard may reach: an assistant, a page. The zero value lets them reach
// global addresses and the servers inside this program, and nothing else.
type Policy struct {
	Names        []string          // configured servers that the user allowed by name
	Config       string            // the only config file to look them up in; empty means those of the hosts
	Approvals    *target.Approvals // what those names meant when the user approved them; nil approves no program
	NoSpawn      bool              // start no process, whatever is approved
	AllowPrivate bool              // loopback and private networks too; link-local ones stay closed
	Headers      []HeaderEnv       // what may be sent where
}

// A RefusedError says that a policy forbids to reach a server. Nothing was started or sent.
type RefusedError struct {
	Message string
	Hint    string
	Program string   // what would have been started, for the user to look at
	Args    []string // without secrets
	Dir     string
	Env     []string // names alone
}

// Error tells what is forbidden.
func (e *RefusedError) Error() string { return e.Message }

// resolve finds the server that was named, within the policy.
func (p *Policy) resolve(w *Workbench, name string) (*target.Resolved, error) {
	spec := target.Spec{Args: []string{name}, Config: p.Config, FromAPI: true}
	if strings.Contains(name, "://") {
		spec.Header = p.headersFor(name)
	} else if _, builtin := w.Builtins[name]; !builtin && !slices.Contains(p.Names, name) {
		return nil, &RefusedError{Message: fmt.Sprintf("%q is neither a URL nor a name that the user allowed", name),
			Hint: "give a URL, or one of " + strings.Join(p.known(w), ", ") + "; the user allows a configured server with mcptest serve --agent-may-spawn NAME"}
	}
	found, err := target.Resolve(w.System, spec, w.Builtins)
	if err != nil {
		return nil, err
	}
	if len(found.Target.Command) > 0 {
		if err := p.maySpawn(name, w.System.Dir, found); err != nil {
			return nil, err
		}
	}
	if found.Target.URL != "" {
		found.Target.DialContext = guard.Dialer(&guard.DialOptions{AllowPrivate: p.AllowPrivate}).DialContext
	}
	return found, nil
}

// known lists the names that can be used, those inside the program first.
func (p *Policy) known(w *Workbench) []string {
	var names []string
	for name := range w.Builtins {
		names = append(names, name)
	}
	slices.Sort(names)
	return append(names, p.Names...)
}

// maySpawn holds a program against what the user approved; dir is where it would run if nobody says otherwise.
func (p *Policy) maySpawn(name, dir string, found *target.Resolved) error {
	refused := describeProgram(found)
	if refused.Dir == "" {
		refused.Dir = dir
	}
	if p.NoSpawn {
		refused.Message = fmt.Sprintf("%q starts a program, and nothing is started for callers over HTTP", name)
		refused.Hint = "connect to a URL, or let the user run mcptest serve over standard input and output"
		return refused
	}
	if p.Approvals == nil {
		refused.Message = fmt.Sprintf("%q starts a program, and no program is approved here", name)
		return refused
	}
	approved, err := p.Approvals.Approved(found)
	if err != nil {
		return err
	}
	if approved {
		return nil
	}
	refused.Program, _ = p.Approvals.Program(found)
	refused.Message = fmt.Sprintf("%q starts a program that the user has not approved, or that changed since", name)
	refused.Hint = "the user looks at it and approves it, in the directory " + refused.Dir + ", with: mcptest serve --agent-may-spawn " + name + " --approve"
	return refused
}

// describeProgram tells what would be started, without secrets.
func describeProgram(found *target.Resolved) *RefusedError {
	args := make([]string, len(found.Target.Command))
	for i, arg := range found.Target.Command {
		args[i] = found.Secrets.Text(arg)
	}
	return &RefusedError{Program: args[0], Args: args[1:], Dir: found.Target.Dir, Env: found.EnvNames}
}

// headersFor are the headers that the user gave for the URL's origin.
func (p *Policy) headersFor(address string) []string {
	origin, err := originOf(address)
	if err != nil {
		return nil
	}
	var headers []string
	for _, h := range p.Headers {
		if h.origin == origin {
			headers = append(headers, h.line)
		}
	}
	return headers
}

// originOf is the scheme, host and port of a URL in one spelling.
func originOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", fmt.Errorf("%q is no http or https origin", address)
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port, nil
}

// shownTransport is the transport in the two words that assistants know.
func shownTransport(kind wire.Kind) string {
	if kind == wire.StreamableHTTP || kind == wire.HTTPWithSSE {
		return "streaming-http"
	}
	return "stdio"
}
