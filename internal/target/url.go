package target

import (
	"fmt"
	"net/url"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// url sets a target that is reached over HTTP; headers are those of an entry, before those of the user.
func (r *resolver) url(raw string, headers []config.Variable, kind wire.Kind) error {
	if len(r.spec.Env) > 0 || r.spec.Cwd != "" {
		return &Error{Message: "--env and --cwd require a command, but the target is a URL",
			Hint: "use {--header} 'Name: $VAR' to pass a secret to a URL"}
	}
	if err := checkURL(raw); err != nil {
		return err
	}
	header, err := r.headers(headers)
	if err != nil {
		return err
	}
	r.rememberQuery(raw)
	r.out.Target = wire.Target{URL: raw, Header: header, Kind: kind}
	return nil
}

func checkURL(raw string) error {
	shown := redact.URL(raw)
	parsed, err := url.Parse(raw)
	switch {
	case err != nil:
		return &Error{Message: fmt.Sprintf("not a URL: %q", shown), Hint: "use a URL such as https://host/mcp"}
	case parsed.Scheme != "http" && parsed.Scheme != "https":
		return &Error{Message: fmt.Sprintf("%q has the scheme %s, expected http or https", shown, parsed.Scheme)}
	case parsed.User != nil:
		return &Error{
			Message: fmt.Sprintf("%q contains credentials, which are visible in process lists and logs", shown),
			Hint:    "use a header: {--header} 'Authorization: $VAR' with VAR=Basic … in the environment",
		}
	case parsed.Hostname() == "":
		return &Error{Message: fmt.Sprintf("%q has no host", shown), Hint: "use a URL such as https://host/mcp"}
	case parsed.Fragment != "":
		return &Error{Message: fmt.Sprintf("%q has a fragment, which is never sent", shown),
			Hint: "remove the # and everything after it"}
	}
	return nil
}
