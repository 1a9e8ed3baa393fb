package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/appview"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/inspector"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/surface/httpapi"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
	"github.com/mcptest-dev/mcptest/web"
)

// inspectPort is the default port of the page: browser storage belongs to a port.
const inspectPort = 6280

// An inspecting holds the flags of inspect.
type inspecting struct {
	app        *app
	connection workbench.Connection

	listen       string
	port         int
	open         bool
	view         string // what the page shows first, as the beginning of its fragment
	anywhere     bool
	allowHosts   []string
	allowOrigins []string
}

const inspectDoc = `Explore an MCP server interactively in the browser.

Prints a URL; use --open to open it in a browser. Connects to TARGET if one is given. You can add other servers in
the page; the servers in your config files are listed already. A program is started only after you have reviewed and
approved the exact command; a server that you pass here is approved.

The page is served only on the loopback interface, and every request requires the token after the # in the URL.
Press Ctrl+C to stop it and every server that it started.`

func (a *app) inspectCommand() *cobra.Command {
	title, rest, _ := strings.Cut(inspectDoc, "\n")
	short := strings.TrimSuffix(title, ".")
	if !a.names("inspect") {
		return inSection(nameOnly("inspect", short), workbench.Explore, 10)
	}
	s := &inspecting{app: a}
	fields := fieldsOf(&s.connection)
	cmd := &cobra.Command{Use: "inspect [TARGET | -- COMMAND [ARGS...]]", Short: short,
		Long:    title + "\n" + rest,
		Example: indent("mcptest inspect demo\nmcptest inspect --open -- mcptest demo-flawed"),
		Args:    cobra.ArbitraryArgs, ValidArgsFunction: a.completion(fields, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if err := fields.positional(args, cmd.ArgsLenAtDash()); err != nil {
					return err
				}
			}
			if s.port != 0 && s.listen != "" {
				return &workbench.UsageError{Message: "--port and --listen are mutually exclusive",
					Hint: "use --listen 127.0.0.1:PORT to set both"}
			}
			for _, origin := range s.allowOrigins {
				if err := isOrigin(origin); err != nil {
					return err
				}
			}
			return s.run(cmd.Context())
		}}
	for _, f := range fields.flags() {
		f.register(cmd.Flags())
		f.completeFlag(cmd)
	}
	f := cmd.Flags()
	f.BoolVar(&s.open, "open", false, "open the page in a browser")
	f.IntVar(&s.port, "port", 0, "listen on this port of 127.0.0.1 (default 6280, or any free port)")
	f.StringVar(&s.listen, "listen", "", "listen on this loopback `ADDRESS`, such as [::1]:6280 or 127.0.0.1:0")
	f.StringArrayVar(&s.allowHosts, "allow-host", nil, "also accept this `HOST:PORT` in the Host header")
	f.StringArrayVar(&s.allowOrigins, "allow-origin", nil, "allow requests from this `ORIGIN`")
	f.BoolVar(&s.anywhere, "insecure-i-know", false, "allow --listen on non-loopback addresses (no TLS)")
	return inSection(cmd, workbench.Explore, 10)
}

// isOrigin rejects values that no browser sends, and which would therefore match nothing.
func isOrigin(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" || text != u.Scheme+"://"+u.Host {
		return &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for --allow-origin: not an origin", text),
			Hint: "use scheme, host and port only, such as https://tunnel.example"}
	}
	return nil
}

func (s *inspecting) run(ctx context.Context) error {
	given := s.given()
	if given != nil { // an invalid name is reported immediately, and nothing is served
		if _, err := target.Resolve(s.app.env.System, *given, builtins()); err != nil {
			return err
		}
	}
	listener, err := s.bind()
	if err != nil {
		return err
	}
	sandbox, err := appview.NewSandbox()
	if err != nil {
		_ = listener.Close()
		return fmt.Errorf("listen for views: %w", err)
	}
	defer sandbox.Close()
	i := s.newInspector(given, sandbox)
	defer i.Shutdown()
	return s.serve(ctx, listener, i, given != nil, sandbox.Origin())
}

// newInspector returns what the page shows.
func (s *inspecting) newInspector(given *target.Spec, sandbox *appview.Sandbox) *inspector.Inspector {
	approvals, err := target.NewApprovals(s.app.env.System, s.approvalsDir())
	if err != nil {
		approvals = nil // then nothing can be approved
	}
	s.app.started = true
	w := &workbench.Workbench{Version: Version(), System: s.app.env.System, Builtins: builtins(),
		Supervisor: s.app.env.Supervisor, Secrets: s.app.secrets,
		Tokens: auth.NewStore(workbench.TokenDir(s.app.env.System))}
	return inspector.New(w, inspector.Options{Config: s.connection.Config, Approvals: approvals, Given: given, Sandbox: sandbox,
		Keep:     filepath.Join(workbench.StateDir(s.app.env.System), "inspect-servers"),
		Surfaces: filepath.Join(workbench.StateDir(s.app.env.System), "inspect-definitions")})
}

// given returns the target of the command line, or nil.
func (s *inspecting) given() *target.Spec {
	c := s.connection
	if c.Target == "" && len(c.Command) == 0 {
		return nil
	}
	spec := &target.Spec{Command: c.Command, Env: c.Env, Cwd: c.Cwd, Header: c.Header, Config: c.Config}
	if c.Target != "" {
		spec.Args = []string{c.Target}
	}
	return spec
}

// approvalsDir separates the approvals of the page from those for assistants.
func (s *inspecting) approvalsDir() string {
	if settings, err := os.UserConfigDir(); err == nil {
		return filepath.Join(settings, "mcptest", "inspect-approvals")
	}
	return ""
}

func (s *inspecting) serve(ctx context.Context, listener net.Listener, i *inspector.Inspector, connect bool,
	frames string) error {
	token := netguard.NewToken()
	api, handler, err := httpapi.New(i, httpapi.Options{Token: token,
		Hosts: append(netguard.Hosts(listener.Addr()), s.allowHosts...), Origins: s.allowOrigins, Page: web.Handler(),
		Frames: frames})
	if err != nil {
		_ = listener.Close()
		return &workbench.UsageError{Message: err.Error()}
	}
	if connect {
		c := s.connection
		if _, err := i.Connect(view.NewLink{Server: "given", Protocol: c.Protocol, LogLevel: c.LogLevel,
			Insecure: c.Insecure, Extensions: c.Extensions, TimeoutMS: int(c.Timeout.Milliseconds())}); err != nil {
			_ = listener.Close()
			return problemError(err)
		}
	}
	server := netguard.Server(handler)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-ctx.Done()
		api.Stop()
		leave, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(leave)
		_ = server.Close()
	}()
	defer s.printURL(listener.Addr(), token)()
	err = server.Serve(listener)
	if ctx.Err() == nil {
		return err
	}
	<-ended
	return context.Canceled
}

// problemError converts a problem of the page to an error of the command line.
func problemError(err error) error {
	var p *view.Problem
	if errors.As(err, &p) {
		return &workbench.UsageError{Message: p.Message, Hint: hint.Text(p.Hint)}
	}
	return err
}

// printURL prints the URL, and opens it if requested. The returned function must be called at the end.
func (s *inspecting) printURL(address net.Addr, token string) func() {
	page := "http://" + address.String() + "/#" + s.view + "token=" + token
	fmt.Fprintln(s.app.out, page)
	if !s.open {
		return func() {}
	}
	forget, err := openPage(page)
	if err != nil {
		fmt.Fprintf(s.app.note(), "note: cannot open a browser: %v\n", err)
	}
	return forget
}

// bind opens the listener, on loopback unless the user overrides it.
func (s *inspecting) bind() (net.Listener, error) {
	if s.listen != "" {
		return (&serving{app: s.app, listen: s.listen, anywhere: s.anywhere}).bind()
	}
	if s.port < 0 || s.port > 65535 {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value %d for --port", s.port),
			Hint: "use a number from 1 to 65535"}
	}
	port := s.port
	if port == 0 {
		port = inspectPort
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil && s.port == 0 {
		listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, &workbench.UsageError{Message: "--port: " + err.Error(), Hint: "remove --port to use any free port"}
	}
	return listener, nil
}
