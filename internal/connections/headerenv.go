package connections

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A HeaderEnv is a header with a value from the user's environment that may be sent to one origin.
type HeaderEnv struct {
	origin string
	line   string // "Name: value"
}

// ParseHeaderEnv parses VAR@ORIGIN, which sends the variable as a bearer token, or HEADER=VAR@ORIGIN, which
// sends it as that header. The variable is read now, so that an assistant cannot change the value later.
func ParseHeaderEnv(given string, lookup func(string) (string, bool)) (HeaderEnv, error) {
	wrong := func(format string, args ...any) (HeaderEnv, error) {
		return HeaderEnv{}, &workbench.UsageError{Message: fmt.Sprintf("--header-env %s: ", given) +
			fmt.Sprintf(format, args...),
			Hint: "use VAR@https://host, or HEADER=VAR@https://host"}
	}
	name, where, found := strings.Cut(given, "@")
	if !found {
		return wrong("missing origin")
	}
	origin, err := workbench.OriginOf(where)
	if err != nil {
		return wrong("%v", err)
	}
	if u, _ := url.Parse(where); (u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.User != nil {
		return wrong("%q has more than an origin", where)
	}
	header, variable, named := strings.Cut(name, "=")
	if !named {
		header, variable = "Authorization", name
	}
	value, set := lookup(variable)
	switch {
	case header == "" || variable == "":
		return wrong("empty name")
	case !set || value == "":
		return wrong("environment variable %s is not set", variable)
	}
	if !named {
		value = "Bearer " + value
	}
	// A dollar sign or an at sign at the start would be read as a reference.
	return HeaderEnv{origin: origin, line: header + ": " + escapeReference(value)}, nil
}

// escapeReference escapes a value that looks like a variable reference.
func escapeReference(value string) string {
	last := strings.LastIndexByte(value, ' ') + 1
	if strings.HasPrefix(value[last:], "$") {
		return value[:last] + "$" + value[last:]
	}
	return value
}
