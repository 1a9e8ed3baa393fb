package connections

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A Policy defines which servers a remote caller may reach: an assistant, a page. The zero value allows public
// addresses and the built-in servers, and nothing else.
type Policy struct {
	Names        []string          // configured servers that the user allowed by name
	Config       string            // the only config file to look them up in; empty means the hosts' config files
	Approvals    *target.Approvals // the commands and URLs that the user approved for those names; nil approves none
	NoSpawn      bool              // start no process, whatever is approved
	AllowPrivate bool              // also allow loopback and private networks; link-local ones stay blocked
	Headers      []HeaderEnv       // headers and the origins they may be sent to
	AskTimeout   time.Duration     // how long the host may take to return the user's answer; 0 means 5 minutes
}

const defaultAskTimeout = 5 * time.Minute

// A RefusedError reports that a policy forbids reaching a server. Nothing was started or sent.
type RefusedError struct {
	Message string
	Hint    hint.Text
	// what the user would have to permit, as the config file has it; nil if it cannot be permitted
	Permission *target.Permission
	Command    string                  // what the user can run in a terminal to permit it; may be empty
	Request    *workbench.GrantRequest // what the user can be asked to grant; nil if it cannot be granted

	cause error // the error of the rejected connection; may be nil
}

// Error returns what is forbidden.
func (e *RefusedError) Error() string { return e.Message }

// Unwrap returns the error of the connection.
func (e *RefusedError) Unwrap() error { return e.cause }

// resolve finds the named server, within the policy and the additional grants of the user.
func (p *Policy) resolve(ctx context.Context, w *workbench.Workbench, name string, book *grantBook) (*target.Resolved,
	error) {
	spec := target.Spec{Args: []string{name}, Config: p.Config, FromAPI: true}
	if strings.Contains(name, "://") {
		spec.Header = p.headersFor(name)
	}
	_, builtin := w.Builtins[name]
	named := builtin || spec.Header != nil || strings.Contains(name, "://") || slices.Contains(p.Names, name)
	launch, err := target.ParseLaunch(w.System, name)
	if (launch != nil || err != nil) && (!named && !canAsk(ctx) || !target.Configured(w.System, p.Config, name)) {
		if err != nil {
			return nil, err
		}
		return p.launch(ctx, w, name, launch, book)
	}
	if !named && !canAsk(ctx) {
		return nil, p.notAllowed(w, name)
	}
	found, err := target.Resolve(w.System, spec, w.Builtins)
	if err != nil && !named {
		// do not disclose to the caller what is wrong with a server that is not allowed
		return nil, p.notAllowed(w, name)
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
		found.Target.DialContext = netguard.Dialer(&netguard.DialOptions{AllowPrivate: p.AllowPrivate,
			Allow: func(address netip.AddrPort) bool {
				return book.addressGranted(ctx, address)
			}}).DialContext
	}
	return found, nil
}

// notAllowed returns the error for a name that the user did not allow.
func (p *Policy) notAllowed(w *workbench.Workbench, name string) *RefusedError {
	return &RefusedError{Message: fmt.Sprintf("%q is neither a URL nor an allowed server name", name),
		Hint: hint.Text("pass a URL, or one of " + strings.Join(p.known(w), ", ") +
			"; for a configured server, have the user run: " + p.approveCommand(name, w.System.Dir) +
			", and add --agent-may-spawn " + workbench.QuoteWord(name) + " to the mcptest serve command of this host")}
}

// known lists the allowed names, built-in servers first.
func (p *Policy) known(w *workbench.Workbench) []string {
	var names []string
	for name := range w.Builtins {
		names = append(names, name)
	}
	slices.Sort(names)
	return append(names, p.Names...)
}

// mayReach compares the command or URL in a config file with what the user approved. A name that the user did not allow
// requires a grant of the user.
func (p *Policy) mayReach(ctx context.Context, name string, named bool, w *workbench.Workbench, found *target.Resolved,
	book *grantBook) error {
	if p.Approvals == nil {
		return &RefusedError{Message: fmt.Sprintf("%q is a configured server, and no configured server is approved here", name)}
	}
	needed := target.Declared(name, found)
	refused := &RefusedError{Permission: &needed}
	if p.NoSpawn && needed.Program != "" {
		refused.Message = fmt.Sprintf("%q starts a local process, which is not allowed over HTTP", name)
		refused.Hint = "connect to a URL, or have the user run mcptest serve over stdio"
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
		what = "connects to a URL from a config file"
	}
	refused.Message = fmt.Sprintf("%q %s that the user has not approved, or that has changed since", name, what)
	refused.Hint = hint.Text("have the user review and approve it with: " + p.approveCommand(name, w.System.Dir))
	return refused
}

// approveCommand returns the command to approve a server.
func (p *Policy) approveCommand(name, dir string) string {
	command := "cd " + workbench.QuoteWord(dir) + " && mcptest serve"
	if p.Config != "" {
		command += " --config " + workbench.QuoteWord(p.Config)
	}
	return command + " --agent-may-spawn " + workbench.QuoteWord(name) + " --approve"
}

// headersFor returns the headers that the user gave for the URL's origin.
func (p *Policy) headersFor(address string) []string {
	origin, err := workbench.OriginOf(address)
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

// transportName returns the transport as one of the two values defined for assistants.
func transportName(kind wire.Kind) string {
	if kind == wire.StreamableHTTP || kind == wire.HTTPWithSSE {
		return "streaming-http"
	}
	return "stdio"
}
