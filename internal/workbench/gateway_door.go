package workbench

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/guard"
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

// A door controls access over HTTP.
type door struct {
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
	return fmt.Sprintf("--token-file: %s is readable by all local users (mode %04o); run: chmod 600 %s", file, info.Mode().Perm(), file)
}

// newDoor admits the callers that the config lists, or else clients with the token of this run.
func newDoor(in *GatewayInput, settings access.Config) (*door, error) {
	if len(settings.Callers) > 0 {
		if in.Open || in.TokenFile != "" {
			return nil, &UsageError{Message: "--open and --token-file have no effect: the config lists callers"}
		}
		policy, err := access.New(settings)
		return &door{policy: policy}, err
	}
	if in.TokenFile != "" {
		raw, err := os.ReadFile(in.TokenFile)
		if err != nil {
			return nil, &UsageError{Message: "--token-file: " + err.Error()}
		}
		token := strings.TrimSpace(string(raw))
		if len(token) < 16 {
			return nil, &UsageError{Message: "--token-file: the token is shorter than 16 characters"}
		}
		return &door{policy: access.Single(localCaller, token), warning: readableByOthers(in.TokenFile)}, nil
	}
	token := guard.NewToken()
	if in.Open {
		return &door{policy: access.Single(localCaller, token), open: true}, nil
	}
	return &door{policy: access.Single(localCaller, token), token: token}, nil
}

// caller returns the current settings of a caller name.
func (d *door) caller(name string) *access.Caller {
	if name == stdioCaller || d.open && name == localCaller {
		return access.Everybody(name)
	}
	return d.policy.Find(name)
}

// inside restricts a handler to authenticated callers.
func (d *door) inside(h http.Handler) http.Handler {
	if d.open {
		return h
	}
	return d.policy.Require(h)
}
