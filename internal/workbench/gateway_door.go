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

// Who callers are that need no token.
const (
	stdioCaller = "stdio"
	localCaller = "local"
)

// callerOf names the sender of a request that was let in.
func callerOf(r *http.Request) string {
	if name := access.CallerOf(r.Context()); name != "" {
		return name
	}
	return localCaller
}

// A door decides who may come in over HTTP.
type door struct {
	policy *access.Policy
	open   bool   // to every program on this machine
	token  string // of this run, for clients to be told; "" if they need none or have their own

	warning string // about the token file; "" if there is none
}

// readableByOthers says that other users of this machine can read a file, and how to change it; "" if they cannot. It is a
// warning because secrets that are mounted into a container often have such a mode.
func readableByOthers(file string) string {
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o004 == 0 {
		return ""
	}
	return fmt.Sprintf("--token-file: every user of this machine can read %s (mode %04o); run: chmod 600 %s", file, info.Mode().Perm(), file)
}

// newDoor lets those in whom the config lists, or else whoever has the token of this run.
func newDoor(in *GatewayInput, settings access.Config) (*door, error) {
	if len(settings.Callers) > 0 {
		if in.Open || in.TokenFile != "" {
			return nil, &UsageError{Message: "the config lists callers; --open and --token-file mean nothing then"}
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

// caller is who a name means now.
func (d *door) caller(name string) *access.Caller {
	if name == stdioCaller || d.open && name == localCaller {
		return access.Everybody(name)
	}
	return d.policy.Find(name)
}

// inside serves those alone who may come in.
func (d *door) inside(h http.Handler) http.Handler {
	if d.open {
		return h
	}
	return d.policy.Require(h)
}
