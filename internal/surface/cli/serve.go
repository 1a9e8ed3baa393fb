package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/surface/mcpserver"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A serving holds the flags of serve.
type serving struct {
	app *app

	listen       string
	tokenFile    string
	allowHosts   []string
	allowOrigins []string
	anywhere     bool

	names        []string
	config       string
	allowPrivate bool
	headerEnv    []string
	approve      bool

	install string
	yes     bool
}

const serveDoc = `Run an MCP server that lets an AI assistant test other MCP servers.

Serves over stdin and stdout, as hosts start it, or with --listen over Streamable HTTP at /mcp. --install adds it to
the config file of a host, after showing the change and asking for confirmation.

By default, an assistant can reach public addresses and the built-in servers. To allow more, use --allow-private for
loopback and private addresses, and --agent-may-spawn for servers in your config files, by name. Such a
server is started or reached only if you approved it with --approve; if its file, command, directory, URL or
variables change, you must approve it again. --approve also accepts a command line, or the path of a script or folder,
that an assistant asks to start. If the host supports elicitation, its user is asked for missing grants.

Grants for assistants:
`

func (a *app) serveCommand() *cobra.Command {
	title, rest, _ := strings.Cut(serveDoc, "\n")
	short := strings.TrimSuffix(title, ".")
	if !a.names("serve") {
		return inSection(nameOnly("serve", short), workbench.Serve, 30)
	}
	s := &serving{app: a}
	cmd := &cobra.Command{Use: "serve", Short: short,
		Long: title + "\n" + rest + workbench.CapabilityHelp(workbench.SurfaceAssistant), Args: noArguments,
		Example: indent("mcptest serve\nmcptest serve --install claude-code --yes\nmcptest serve --listen " +
			"127.0.0.1:6281 --allow-private"),
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd.Context()) }}
	f := cmd.Flags()
	f.StringVar(&s.listen, "listen", "", "listen on this loopback `ADDRESS` for HTTP, such as 127.0.0.1:6281 or :0")
	f.StringVar(&s.tokenFile, "token-file", "",
		"`FILE` with bearer tokens for HTTP clients, one per line; created if missing")
	f.StringArrayVar(&s.allowHosts, "allow-host", nil, "also accept this `HOST:PORT` in the Host header")
	f.StringArrayVar(&s.allowOrigins, "allow-origin", nil, "allow requests from web pages of this `ORIGIN`")
	f.BoolVar(&s.anywhere, "insecure-i-know", false, "allow --listen on non-loopback addresses (no TLS)")
	f.StringArrayVar(&s.names, "agent-may-spawn", nil, "allow the assistant to start the configured server `NAME`")
	f.StringVar(&s.config, "config", "", "read servers from this config `FILE`, instead of the hosts' config files")
	f.BoolVar(&s.allowPrivate, "allow-private", false,
		"allow the assistant to connect to loopback and private addresses")
	f.StringArrayVar(&s.headerEnv, "header-env", nil,
		"send an environment variable to an origin: `VAR@ORIGIN` as a bearer token, HEADER=VAR@ORIGIN as that header")
	f.BoolVar(&s.approve, "approve", false, "show the servers of --agent-may-spawn, ask for approval, and exit")
	f.StringVar(&s.install, "install", "", "add this server to the config file of a `HOST`: "+
		strings.Join(config.InstallHosts(), ", "))
	f.BoolVar(&s.yes, "yes", false, "skip confirmation (with --install and --approve)")
	return inSection(cmd, workbench.Serve, 30)
}

func (s *serving) run(ctx context.Context) error {
	if s.install != "" {
		return s.installInto(ctx)
	}
	policy, err := s.policy()
	if err != nil {
		return err
	}
	if s.approve {
		return s.approveAll(ctx, policy)
	}
	s.app.started = true
	w := &workbench.Workbench{Version: Version(), System: s.app.env.System, Builtins: builtins(),
		Supervisor: s.app.env.Supervisor, Secrets: s.app.secrets}
	if s.listen != "" {
		return s.serveHTTP(ctx, w, policy)
	}
	err = mcpserver.New(w, policy).Stream(ctx, s.app.env.Stdin, s.app.out)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// policy returns what the assistant may do.
func (s *serving) policy() (connections.Policy, error) {
	p := connections.Policy{Names: s.names, Config: s.config, AllowPrivate: s.allowPrivate}
	var err error
	if p.Approvals, err = target.NewApprovals(s.app.env.System, ""); err != nil && len(s.names) > 0 {
		return p, &workbench.UsageError{Message: err.Error()}
	}
	for _, given := range s.headerEnv {
		h, err := connections.ParseHeaderEnv(given, s.app.env.System.Lookup)
		if err != nil {
			return p, err
		}
		p.Headers = append(p.Headers, h)
	}
	return p, nil
}

func (s *serving) serveHTTP(ctx context.Context, w *workbench.Workbench, policy connections.Policy) error {
	listener, err := s.bind()
	if err != nil {
		return err
	}
	tokens, file, forget, err := s.tokens(listener.Addr())
	if err != nil {
		_ = listener.Close()
		return err
	}
	defer forget()
	handler, stop, err := mcpserver.Listener(w, policy,
		mcpserver.ListenOptions{Tokens: tokens, Hosts: append(netguard.Hosts(listener.Addr()), s.allowHosts...),
			Origins: s.allowOrigins})
	if err != nil {
		_ = listener.Close()
		return &workbench.UsageError{Message: err.Error()}
	}
	defer stop()
	fmt.Fprintf(s.app.out, "%s serves http://%s%s; the token is in %s\n", mcpserver.Name, listener.Addr(),
		mcpserver.Path, file)
	server := netguard.Server(handler)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-ctx.Done()
		stop()
		_ = server.Close()
	}()
	err = server.Serve(listener)
	if ctx.Err() == nil {
		return err
	}
	<-ended
	return context.Canceled
}

// bind opens the listener, on loopback unless the user overrides it.
func (s *serving) bind() (net.Listener, error) {
	address := s.listen
	if strings.HasPrefix(address, ":") {
		address = "127.0.0.1" + address
	}
	check, advice := netguard.Loopback, hint.Text("use 127.0.0.1:PORT, or --insecure-i-know to allow remote clients "+
		"without TLS")
	if s.anywhere {
		check, advice = netguard.Address, "use an IP address and a port"
	}
	address, err := check(address)
	if err != nil {
		return nil, &workbench.UsageError{Message: "--listen: " + err.Error(), Hint: advice}
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, &workbench.UsageError{Message: "--listen: " + workbench.ListenProblem(address, err),
			Hint: "use another port, or port 0 for any free port"}
	}
	return listener, nil
}

// approveAll shows the named servers and stores the approval of the user.
func (s *serving) approveAll(ctx context.Context, policy connections.Policy) error {
	if len(s.names) == 0 {
		return &workbench.UsageError{Message: "--approve requires --agent-may-spawn NAME",
			Hint: "add --agent-may-spawn NAME"}
	}
	for _, name := range s.names {
		if err := s.approveNamed(ctx, policy.Approvals, name); err != nil {
			return err
		}
	}
	return nil
}

// approveNamed approves a configured server, or else the command or path that an assistant passed.
func (s *serving) approveNamed(ctx context.Context, approvals *target.Approvals, name string) error {
	sys := s.app.env.System
	launch, err := target.ParseLaunch(sys, name)
	if (launch != nil || err != nil) && !target.Configured(sys, s.config, name) {
		if err != nil {
			return err
		}
		return s.approveLaunch(ctx, approvals, name, launch)
	}
	found, err := target.Resolve(sys, target.Spec{Args: []string{name}, Config: s.config}, builtins())
	if err != nil {
		return err
	}
	if !target.Needed(found) {
		fmt.Fprintf(s.app.out, "%s requires no approval\n", name)
		return nil
	}
	return s.approveOne(ctx, approvals, name, found)
}

// approveLaunch shows the process of a command or path and stores the approval of the user.
func (s *serving) approveLaunch(ctx context.Context, approvals *target.Approvals, name string,
	launch *target.Launch) error {
	found, err := launch.Resolve(s.app.env.System)
	if err != nil {
		return err
	}
	_, lines, err := approvals.Start(found)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.app.out, "Assistants ask to start a server with this command:")
	for _, line := range lines {
		fmt.Fprintf(s.app.out, "  %-10s %s\n", line.Label, report.Visible(line.Text()))
	}
	agreed, err := s.agreed(ctx, "Allow it?")
	if err != nil || !agreed {
		return err
	}
	if err := connections.ApproveLaunch(approvals, launch, found); err != nil {
		return err
	}
	fmt.Fprintf(s.app.out, "approved: %s\n", report.Line(name))
	return nil
}

func (s *serving) approveOne(ctx context.Context, approvals *target.Approvals, name string,
	found *target.Resolved) error {
	if len(found.Target.Command) > 0 {
		if _, err := approvals.Program(found); err != nil {
			return err
		}
	}
	permission := approvals.Permission(name, found)
	fmt.Fprintf(s.app.out, "Assistants ask to %s:\n", permission.What())
	for _, line := range permission.Lines() {
		fmt.Fprintf(s.app.out, "  %-10s %s\n", line.Label, report.Visible(found.Secrets.Text(line.Text())))
	}
	agreed, err := s.agreed(ctx, "Allow it?")
	if err != nil || !agreed {
		return err
	}
	if err := approvals.Approve(found); err != nil {
		return err
	}
	fmt.Fprintf(s.app.out, "approved: %s\n", name)
	return nil
}

// agreed asks for confirmation, unless --yes is set. It fails without a terminal.
func (s *serving) agreed(ctx context.Context, question string) (bool, error) {
	if s.yes {
		return true, nil
	}
	if !s.app.interactive() {
		return false, &workbench.UsageError{Message: "no terminal for confirmation; nothing was changed",
			Hint: "use --yes to confirm in advance"}
	}
	agreed, err := s.app.dialog().confirm(ctx, false, question)
	return agreed, stopped(err)
}

// self returns the path of this program, for hosts to start.
func (a *app) self() string {
	if len(a.env.Supervisor) > 0 {
		return a.env.Supervisor[0]
	}
	if self, err := os.Executable(); err == nil {
		return self
	}
	return "mcptest"
}
