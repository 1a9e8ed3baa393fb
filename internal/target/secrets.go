package target

import (
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/redact"
)

// harmlessHeaders have common values that protect nothing.
var harmlessHeaders = map[string]bool{
	"accept": true, "accept-encoding": true, "accept-language": true, "cache-control": true, "content-type": true,
	"origin":     true,
	"user-agent": true, "mcp-protocol-version": true, "mcp-method": true, "mcp-name": true, "x-request-id": true,
	"traceparent": true,
}

// rememberHeader stores the value of a header as a secret. A value that was read from a file or a variable is a secret
// under any name.
func (r *resolver) rememberHeader(name, value string, referred bool) {
	if harmlessHeaders[strings.ToLower(name)] && !referred {
		return
	}
	r.out.Secrets.Add(value)
	if _, credentials, found := strings.Cut(value, " "); found {
		r.out.Secrets.Add(credentials)
	}
}

// rememberEnv stores the value that a config file gives a variable, if it may be a secret. Values from the command line
// are always stored.
func (r *resolver) rememberEnv(name, value string) {
	if !Setting(name, value) {
		r.out.Secrets.Add(value)
	}
}

// Setting reports whether a variable or header contains a setting and not a secret, by its name and its value.
func Setting(name, value string) bool { return !redact.SecretName(name) && ordinary(value) }

// ordinary reports whether a value is a setting and not a secret: words, numbers, paths, URLs. Redacting those would
// hide much of the output of a server.
func ordinary(value string) bool {
	lowerCase := strings.Trim(value, "abcdefghijklmnopqrstuvwxyz-_,*:") == ""
	upperCase := strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_") == ""
	number := strings.Trim(value, "0123456789.:") == ""
	path := strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "~") ||
		len(value) > 2 && value[1:3] == `:\`
	address := strings.HasPrefix(value, "http://") || strings.HasPrefix(value, "https://")
	return len(value) < 8 || lowerCase || upperCase || number || path || address && redact.URL(value) == value
}

// SecretsOf returns the values of variables and options with a secret name, in an environment and a command.
func SecretsOf(environ, command []string) []string {
	var values []string
	for _, variable := range environ {
		if name, value, _ := strings.Cut(variable, "="); redact.SecretName(name) {
			values = append(values, value)
		}
	}
	return append(values, secretArgs(command)...)
}

// rememberArgs stores the values of options with a secret name.
func (r *resolver) rememberArgs(args []string) { r.out.Secrets.Add(secretArgs(args)...) }

// secretArgs finds values after options with a secret name: --api-key X, --token=X.
func secretArgs(args []string) (values []string) {
	for i, arg := range args {
		option, value, joined := strings.Cut(arg, "=")
		if !redact.SecretName(option) {
			continue
		}
		if !joined && strings.HasPrefix(option, "-") && i+1 < len(args) {
			value = args[i+1]
		}
		if !strings.HasPrefix(value, "-") {
			values = append(values, value)
		}
	}
	return values
}

func (r *resolver) rememberQuery(raw string) {
	parsed, err := url.Parse(raw)
	if err != nil {
		return
	}
	for name, values := range parsed.Query() {
		if redact.SecretParameter(name) {
			r.out.Secrets.Add(values...)
		}
	}
}
