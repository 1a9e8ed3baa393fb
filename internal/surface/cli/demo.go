package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// demoCommands run the built-in servers as separate servers.
func (a *app) demoCommands() []*cobra.Command {
	var all []*cobra.Command
	for i, s := range demo.All() {
		var listen string
		cmd := &cobra.Command{Use: s.Name, Short: s.Short, Args: noArguments,
			Example: indent("mcptest " + s.Name + "\nmcptest " + s.Name + " --listen 127.0.0.1:8080"),
			Long:    s.Doc + "\n\nServes over stdin and stdout, or over Streamable HTTP at /mcp with --listen.",
			RunE: func(cmd *cobra.Command, _ []string) error {
				a.started = true
				if listen == "" {
					return a.serveStdio(cmd.Context(), s)
				}
				return a.serveHTTP(cmd.Context(), s, listen)
			}}
		cmd.Flags().StringVar(&listen, "listen", "",
			"serve HTTP at this loopback `ADDRESS`, such as 127.0.0.1:8080 or :0")
		all = append(all, inSection(cmd, workbench.Serve, 50+i))
	}
	return all
}

// serveStdio runs the server as a process. An intentional crash sets the exit status.
func (a *app) serveStdio(ctx context.Context, s demo.Server) error {
	err := s.Serve(ctx, a.env.Stdin, a.out)
	var died *demo.Crash
	if errors.As(err, &died) {
		fmt.Fprintln(a.env.Stderr, died.Message)
		return exitStatus(died.Code)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// An exitStatus ends the process with a given status and without a message.
type exitStatus int

// Error returns the status.
func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

func (a *app) serveHTTP(ctx context.Context, s demo.Server, address string) error {
	if strings.HasPrefix(address, ":") {
		address = "127.0.0.1" + address
	}
	address, err := netguard.Loopback(address)
	if err != nil {
		return &workbench.UsageError{Message: "--listen: " + err.Error(),
			Hint: "built-in servers listen only on loopback addresses: use 127.0.0.1:PORT"}
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return &workbench.UsageError{Message: "--listen: " + workbench.ListenProblem(address, err),
			Hint: "use another port, or port 0 for any free port"}
	}
	handler, stop := s.Handler()
	defer stop()
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	server := netguard.Server(mux)
	fmt.Fprintf(a.out, "%s serves http://%s/mcp\n", s.Name, listener.Addr())
	go func() { <-ctx.Done(); stop(); _ = server.Close() }()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return context.Canceled
}
