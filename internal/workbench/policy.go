package workbench

import (
	"context"
	"fmt"
	"net/netip"
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
	Approvals    *target.Approvals // what those names meant when the user approved them; nil approves none
	NoSpawn      bool              // start no process, whatever is approved
	AllowPrivate bool              // loopback and private networks too; link-local ones stay closed
	Headers      []HeaderEnv       // what may be sent where
}

// A RefusedError reports that a policy forbids to reach a server. Nothing was started or sent.
type RefusedError struct {
	Message    string
	Hint       string
	Permission *target.Permission // what the user would have to permit; nil if nothing helps
	Request    *GrantRequest      // what the user can be asked for; nil if a question does not help

	cause error // of a connection that was refused; may be nil
}

// Error tells what is forbidden.
func (e *RefusedError) Error() string { return e.Message }

// Unwrap returns the error of the connection.
func (e *RefusedError) Unwrap() error { return e.cause }

// resolve finds the server that was named, within the policy and what the user granted beyond it.
func (p *Policy) resolve(ctx context.Context, w *Workbench, name string, book *grantBook) (*target.Resolved, error) {
	spec := target.Spec{Args: []string{name}, Config: p.Config, FromAPI: true}
	if strings.Contains(name, "://") {
		spec.Header = p.headersFor(name)
	}
	_, builtin := w.Builtins[name]
	named := builtin || spec.Header != nil || strings.Contains(name, "://") || slices.Contains(p.Names, name)
	if !named && !canAsk(ctx) {
		return nil, p.notAllowed(w, name)
	}
	found, err := target.Resolve(w.System, spec, w.Builtins)
	if err != nil && !named {
		return nil, p.notAllowed(w, name) // what is wrong with a server that nobody allowed is no business of the caller's
	}
	if err != nil {
		return nil, err
	}
	if target.Needed(found) {
		if err := p.mayReach(ctx, name, named, w, found, book); err != nil {
			return nil, err
		}
	}
	if found.Target.URL != "" {
		found.Target.DialContext = guard.Dialer(&guard.DialOptions{AllowPrivate: p.AllowPrivate, Allow: func(address netip.AddrPort) bool {
			return book.granted(ctx, addressID(address.String()))
		}}).DialContext
	}
	return found, nil
}

// notAllowed is the error of a name that the user did not allow.
func (p *Policy) notAllowed(w *Workbench, name string) *RefusedError {
	return &RefusedError{Message: fmt.Sprintf("%q is neither a URL nor a name that the user allowed", name),
		Hint: "give a URL, or one of " + strings.Join(p.known(w), ", ") + "; for a configured server the user has to run: " + p.approveCommand(name, w.System.Dir) +
			", and to add --agent-may-spawn " + quoteWord(name) + " to the command mcptest serve of this host"}
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

// mayReach compares what a config file starts or reaches with what the user approved. A name that the user did not allow
// needs an answer of the user.
func (p *Policy) mayReach(ctx context.Context, name string, named bool, w *Workbench, found *target.Resolved, book *grantBook) error {
	if p.Approvals == nil {
		return &RefusedError{Message: fmt.Sprintf("%q is a configured server, and none is approved here", name)}
	}
	needed := p.Approvals.Permission(name, found)
	refused := &RefusedError{Permission: &needed}
	if p.NoSpawn && needed.Program != "" {
		refused.Message = fmt.Sprintf("%q starts a program, and nothing is started for callers over HTTP", name)
		refused.Hint = "connect to a URL, or let the user run mcptest serve over standard input and output"
		return refused
	}
	request, err := p.useRequest(name, found)
	if err != nil {
		return err
	}
	if book.granted(ctx, request.ID) {
		return nil
	}
	refused.Request = request
	if !named {
		unknown := p.notAllowed(w, name)
		refused.Message, refused.Hint = unknown.Message, unknown.Hint
		return refused
	}
	approved, err := p.Approvals.Approved(found)
	if err != nil || approved {
		return err
	}
	what := "starts a program"
	if needed.Program == "" {
		what = "reaches a URL of a config file"
	}
	refused.Message = fmt.Sprintf("%q %s that the user has not approved, or that changed since", name, what)
	refused.Hint = "the user has to look at it and approve it, with: " + p.approveCommand(name, w.System.Dir)
	return refused
}

// approveCommand is the command by which the user approves a server.
func (p *Policy) approveCommand(name, dir string) string {
	command := "cd " + quoteWord(dir) + " && mcptest serve"
	if p.Config != "" {
		command += " --config " + quoteWord(p.Config)
	}
	return command + " --agent-may-spawn " + quoteWord(name) + " --approve"
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
