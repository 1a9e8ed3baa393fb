package gateway

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Names of callers without a token.
const (
	stdioCaller = "stdio"
	localCaller = "local"
)

// callerOf returns the caller of an authenticated request.
func callerOf(r *http.Request) string {
	if name := access.CallerOf(r.Context()); name != "" {
		return name
	}
	return localCaller
}

// A authenticator controls access over HTTP.
type authenticator struct {
	policy *access.Policy
	open   bool   // for every local program
	token  string // of this run, to print for clients; "" if they need none or have their own

	warning string // about the token file; "" if there is none
}

// readableByOthers returns a warning if other local users can read a file, with the command to change that; ""
// if they cannot. It is only a warning because secrets that are mounted into a container often have such a
// mode.
func readableByOthers(file string) string {
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o004 == 0 {
		return ""
	}
	return fmt.Sprintf("--token-file: %s is readable by all local users (mode %04o); run: chmod 600 %s", file,
		info.Mode().Perm(), file)
}

// newDoor admits the callers that the config lists, or else clients with the token of this run.
func newDoor(in *Input, settings access.Config) (*authenticator, error) {
	if settings.Lists() {
		if in.Open || in.TokenFile != "" {
			return nil, &workbench.UsageError{Message: "--open and --token-file have no effect: the config lists " +
				"callers or roles"}
		}
		policy, err := access.New(settings)
		return &authenticator{policy: policy}, err
	}
	if in.TokenFile != "" {
		raw, err := os.ReadFile(in.TokenFile)
		if err != nil {
			return nil, &workbench.UsageError{Message: "--token-file: " + err.Error()}
		}
		token := strings.TrimSpace(string(raw))
		if len(token) < 16 {
			return nil, &workbench.UsageError{Message: "--token-file: the token is shorter than 16 characters"}
		}
		return &authenticator{policy: access.Single(localCaller, token), warning: readableByOthers(in.TokenFile)}, nil
	}
	token := netguard.NewToken()
	if in.Open {
		return &authenticator{policy: access.Single(localCaller, token), open: true}, nil
	}
	return &authenticator{policy: access.Single(localCaller, token), token: token}, nil
}

// caller returns the current settings of a caller name.
func (d *authenticator) caller(name string) *access.Caller {
	if name == stdioCaller || d.open && name == localCaller {
		return access.Unrestricted(name)
	}
	return d.policy.Find(name)
}

// inside restricts a handler to authenticated callers.
func (d *authenticator) inside(h http.Handler) http.Handler {
	if d.open {
		return h
	}
	return d.policy.Require(h)
}
