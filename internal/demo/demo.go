// Package demo contains the built-in MCP servers.
//
// demo is correct: it validates its input and conforms to every protocol revision. demo-guide has one tool for
// each row of the Tool Testing Guide and echoes the exact bytes of its arguments. demo-flawed has the typical
// defects of real servers, so that there is something to find.
//
// All three support all protocol revisions, over a stream of lines and over HTTP. None of them reads a file,
// the environment or the network.
package demo

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// A Server is one built-in server.
type Server struct {
	Name  string // as users type it
	Short string // one line for the list of commands
	Doc   string // a summary in the first line, then the details

	// Serve serves newline-delimited JSON-RPC until in ends or ctx is done, and has no goroutine left when it
	// returns. If ctx ends first and in is an io.Closer, in is closed, because nothing else can end a blocked
	// read; a reader that closing does not end keeps running. A server that crashes on purpose returns a *Died.
	Serve func(ctx context.Context, in io.Reader, out io.Writer) error

	// Handler returns the server as a Streamable HTTP endpoint, and a function that ends its sessions.
	Handler func() (handler http.Handler, stop func())
}

// Crash is the error of a server that was crashed by a call. As a separate process, it prints the message to
// stderr and exits with the code.
type Crash struct {
	Code    int
	Message string
}

// Error returns the exit status and the last stderr output.
func (d *Crash) Error() string { return fmt.Sprintf("exit %d: %s", d.Code, d.Message) }

// All returns the built-in servers in display order.
func All() []Server {
	return []Server{
		{Name: "demo", Short: "Run a correct server with every feature", Doc: cleanDoc, Serve: serveClean,
			Handler: cleanHandler},
		{Name: "demo-guide", Short: "Run a server that echoes arguments byte for byte", Doc: guideDoc,
			Serve: serveGuide, Handler: guideHandler},
		{Name: "demo-flawed", Short: "Run a server with typical defects", Doc: flawedDoc, Serve: serveFlawed,
			Handler: flawedHandler},
	}
}

// Lookup returns the built-in server with the name.
func Lookup(name string) (Server, bool) {
	for _, s := range All() {
		if s.Name == name {
			return s, true
		}
	}
	return Server{}, false
}
