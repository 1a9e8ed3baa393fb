package target

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/hint"
)

// maxHeaderFile limits how much is read for a header value.
const maxHeaderFile = 64 << 10

// headers returns those of an entry, overridden by those of the user.
func (r *resolver) headers(entry []config.Variable) (http.Header, error) {
	own := http.Header{}
	for _, line := range r.spec.Header {
		name, value, err := r.header(line)
		if err != nil {
			return nil, err
		}
		own.Add(name, value)
		r.rememberHeader(name, value, !strings.HasSuffix(strings.TrimRight(line, " \t"), value))
	}
	all := http.Header{}
	for _, v := range entry {
		if err := checkHeader(v.Name, v.Value); err != nil {
			return nil, err
		}
		if own.Values(v.Name) == nil {
			all.Add(v.Name, v.Value)
			r.rememberHeader(v.Name, v.Value, false)
		}
	}
	for name, values := range own {
		all[name] = values
	}
	return all, nil
}

// header parses one "Name: value".
func (r *resolver) header(line string) (name, value string, err error) {
	name, value, found := strings.Cut(line, ":")
	if !found {
		return "", "", &Error{Message: "--header: missing colon",
			Hint: "use 'Name: value', 'Name: @FILE' or 'Name: $VAR'"}
	}
	name, value = strings.TrimRight(name, " \t"), strings.Trim(value, " \t")
	if value, err = r.headerValue(name, value); err != nil {
		return "", "", err
	}
	return name, value, checkHeader(name, value)
}

// headerValue expands @FILE, and $VAR alone or after an authentication scheme; $$ is a literal dollar sign.
func (r *resolver) headerValue(name, value string) (string, error) {
	if file, found := strings.CutPrefix(value, "@"); found {
		return r.headerFile(name, file)
	}
	last := strings.LastIndexByte(value, ' ') + 1
	reference, found := strings.CutPrefix(value[last:], "$")
	if !found {
		return value, nil
	}
	if strings.HasPrefix(reference, "$") {
		return value[:last] + reference, nil
	}
	variable := strings.TrimSuffix(strings.TrimPrefix(reference, "{"), "}")
	if !plainName(variable) {
		return value, nil
	}
	if r.spec.FromAPI {
		return "", &Error{Message: fmt.Sprintf("header %s uses an environment variable; only the user may do that",
			name)}
	}
	text, set := r.sys.Lookup(variable)
	if !set || text == "" {
		return "", &Error{Message: fmt.Sprintf("header %s: environment variable %s is not set", name, variable),
			Hint: hint.Text(fmt.Sprintf("run: export %s=…, or use $$ for a literal dollar sign", variable))}
	}
	return value[:last] + text, nil
}

func (r *resolver) headerFile(name, file string) (string, error) {
	if r.spec.FromAPI {
		return "", &Error{Message: fmt.Sprintf("header %s uses a file; only the user may do that", name)}
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(r.sys.Dir, file)
	}
	text, err := os.ReadFile(file)
	switch {
	case err != nil:
		return "", &Error{Message: fmt.Sprintf("header %s: %v", name, err)}
	case len(text) > maxHeaderFile:
		return "", &Error{Message: fmt.Sprintf("header %s: %s has %d bytes, expected at most %d", name, file, len(text),
			maxHeaderFile)}
	}
	return strings.TrimSpace(string(text)), nil
}

// checkHeader rejects values that could inject other headers, and headers that frame a message.
func checkHeader(name, value string) error {
	if name == "" || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~") != "" {
		return &Error{Message: fmt.Sprintf("invalid header name %q, expected letters, digits and hyphens", name)}
	}
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return &Error{Message: fmt.Sprintf("value of header %s contains the control character %#02x", name, c)}
		}
	}
	switch strings.ToLower(name) {
	case "host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "trailer", "te":
		return &Error{Message: fmt.Sprintf("header %s is set by the transport and cannot be overridden", name)}
	}
	return nil
}

func plainName(name string) bool {
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}
