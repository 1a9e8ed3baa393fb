// Package zoo keeps broken servers, each with one defect, and what a client must make of it.
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
	Script  string              // what it does, for wiretest; or
	Main    func() int          // what it does as a process; or, and of those that Burdened lists, as well,
	Handler func() http.Handler // what it does over HTTP
	HTTP    bool                // the script is played over HTTP
	Sight   Sight
}

// A Sight is what a client must see of a server: texts that errors, notices and problems contain. Empty errors mean
// that it works.
type Sight struct {
	Connect, List, Call string        // errors of opening a session, of tools/list, of tools/call
	Again               bool          // a second call works although the first one fails
	Notice              string        // a departure that is noticed
	Problem             string        // why the list is not complete
	Items, Usable       int           // tools in the list, and those among them that can be used; 0 means one
	Stderr              string        // what the error shows of the standard error
	Hint                string        // what the error proposes
	Frame               string        // what stands in the transcript
	Auto                bool          // the era is probed
	Args                string        // of the call
	Within              time.Duration // for everything together; 0 means 3 s
}

// Servers lists all of them.
func Servers() []Server {
	return slices.Concat(envelopes(), framings(), lives(), lists(), statuses(), streams())
}

// modeVariable names the mode that a process is to run in.
const modeVariable = "MCPTEST_HELPER"

// Command is the argv and the environment of a process that is this server: the running test binary again, whose
// TestMain calls Play first.
func (s Server) Command() (argv, env []string) {
	if s.Main == nil {
		return wiretest.Command(s.Script)
	}
	return []string{os.Args[0]}, []string{modeVariable + "=" + s.Name, "PATH=" + os.Getenv("PATH")}
}

// HTTPHandler is the server as a handler; nil if it is a process.
func (s Server) HTTPHandler() http.Handler {
	switch {
	case s.Handler != nil:
		return s.Handler()
	case s.HTTP:
		return wiretest.New(s.Script)
	}
	return nil
}

// Play becomes the server that the environment names and exits. Without one it returns at once.
func Play() {
	wiretest.Play()
	mode := os.Getenv(modeVariable)
	for _, s := range slices.Concat(Servers(), Burdened()) {
		if mode != "" && s.Name == mode && s.Main != nil {
			os.Exit(s.Main())
		}
	}
}

// sound is what a server says when it has no defect.
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

// but is a sound server with some rules replaced.
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

// called is a sound server that answers tools/call by these steps.
func called(steps ...string) string {
	return but("on tools/call\n\t" + strings.Join(steps, "\n\t"))
}

// listed is a sound server whose tools/list has this result.
func listed(results ...string) string {
	var rules []string
	for _, result := range results {
		rules = append(rules, "on tools/list\n\tresult "+result)
	}
	return but(rules...)
}
