package hostrun

import (
	"fmt"
	"io"
	"net"
	"os"
)

// The first arguments that make mcptest a helper of a run.
const (
	connectCommand = "__connect" // SOCKET: the server, as the host sees it
	isolateCommand = "__isolate" // SOCKET PORT PROGRAM ARGS…: starts a host without a network
	insideCommand  = "__isolated"
)

// Helper runs mcptest as a helper if the arguments ask for it, and returns its exit status.
func Helper(args []string) (status int, is bool) {
	switch {
	case len(args) == 2 && args[0] == connectCommand:
		return connect(args[1], os.Stdin, os.Stdout), true
	case len(args) > 3 && args[0] == isolateCommand:
		return isolate(args[1:]), true
	case len(args) > 2 && args[0] == insideCommand:
		return inside(args[1:]), true
	}
	return 0, false
}

// connect passes bytes between the host and the mcptest that started it, which runs the server.
func connect(socket string, in io.Reader, out io.Writer) int {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcptest: cannot connect to the server under test:", err)
		return 1
	}
	defer conn.Close()
	go func() {
		_, _ = io.Copy(conn, in)
		_ = conn.(*net.UnixConn).CloseWrite()
	}()
	_, _ = io.Copy(out, conn)
	return 0
}
