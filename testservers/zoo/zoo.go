// Package zoo has broken servers, each with one defect and the expected behavior of a client.
//
// Most of them are scripts of wiretest, the others modes of the test binary or HTTP handlers.
package zoo

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// A Server is one broken server.
type Server struct {
	Name    string
	Defect  string
	Script  string              // its behavior, for wiretest; or
	Main    func() int          // its behavior as a process; or, for those that Burdened lists, in addition,
	Handler func() http.Handler // its behavior over HTTP
	HTTP    bool                // the script runs over HTTP
	Sight   Sight
}

// A Sight is what a client must report about a server: texts that errors, notices and problems contain. Empty errors
// mean success.
type Sight struct {
	Connect, List, Call string        // errors of opening a session, of tools/list, of tools/call
	Again               bool          // a second call works although the first one fails
	Notice              string        // a reported violation
	Problem             string        // why the list is incomplete
	Items, Usable       int           // tools in the list, and usable tools; 0 means one
	Stderr              string        // stderr excerpt in the error
	Hint                string        // hint of the error
	Frame               string        // text in the transcript
	Auto                bool          // the revision is detected
	Args                string        // of the call
	Within              time.Duration // total time limit; 0 means 3 s
}

// Servers lists all of them.
func Servers() []Server {
	return slices.Concat(envelopes(), framings(), lives(), lists(), statuses(), streams())
}

// modeVariable names the mode that a process runs.
const modeVariable = "MCPTEST_HELPER"

// Command returns the argv and the environment of a process that runs this server: the running test binary, whose
// TestMain calls Play first.
func (s Server) Command() (argv, env []string) {
	if s.Main == nil {
		return wiretest.Command(s.Script)
	}
	return []string{os.Args[0]}, []string{modeVariable + "=" + s.Name, "PATH=" + os.Getenv("PATH")}
}

// HTTPHandler returns the server as a handler; nil if it is a process.
func (s Server) HTTPHandler() http.Handler {
	switch {
	case s.Handler != nil:
		return s.Handler()
	case s.HTTP:
		return wiretest.New(s.Script)
	}
	return nil
}

// Play runs the server that the environment names and exits. Without one it returns immediately.
func Play() {
	wiretest.Play()
	mode := os.Getenv(modeVariable)
	for _, s := range slices.Concat(Servers(), Burdened()) {
		if mode != "" && s.Name == mode && s.Main != nil {
			os.Exit(s.Main())
		}
	}
}

// sound is the script of a correct server.
var sound = []string{
	`on server/discover
	error -32601 unknown`,
	`on ping
	result {}`,
	`on initialize
	result {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"zoo","version":"1"}}`,
	`on tools/list
	result {"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
	`on tools/call
	result {"content":[],"echo":$arguments}`,
}

// but is a correct server with some rules replaced.
func but(rules ...string) string {
	script := rules
	for _, rule := range sound {
		head, _, _ := strings.Cut(rule, "\n")
		if !slices.ContainsFunc(rules, func(r string) bool { return strings.HasPrefix(r, head+"\n") }) {
			script = append(script, rule)
		}
	}
	return strings.Join(script, "\n")
}

// called is a correct server that handles tools/call with these steps.
func called(steps ...string) string {
	return but("on tools/call\n\t" + strings.Join(steps, "\n\t"))
}

// listed is a correct server whose tools/list has this result.
func listed(results ...string) string {
	var rules []string
	for _, result := range results {
		rules = append(rules, "on tools/list\n\tresult "+result)
	}
	return but(rules...)
}
