package ready

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// variable is a variable in a URL.
var (
	variable     = lazyregexp.New(`\{([^}]+)\}`)
	portVariable = lazyregexp.New(`:\{[^}]+\}(/|$)`)
)

// registryPackage checks an entry of packages.
func (r *run) registryPackage(in *file, at string) {
	kind, identifier := in.text(at+"/registryType"), in.text(at+"/identifier")
	if strings.Contains(identifier, " ") {
		r.found("REG-008", in, at+"/identifier", "identifier %q has a space", identifier)
	}
	r.version(in, at+"/version")
	switch kind {
	case "mcpb":
		r.bundlePackage(in, at, identifier)
	case "oci":
		for _, member := range []string{"version", "registryBaseUrl"} {
			if in.has(at + "/" + member) {
				r.found("REG-008", in, at+"/"+member, "an image has no %s: its identifier names the registry and the version",
					member)
			}
		}
	}
	declared := r.arguments(in, at)
	for _, variable := range in.items(at + "/environmentVariables") {
		declared = append(declared, in.text(variable+"/name"))
	}
	r.transport(in, at+"/transport", declared)
}

// bundlePackage checks a package that is a bundle.
func (r *run) bundlePackage(in *file, at, identifier string) {
	u, err := url.Parse(identifier)
	if err != nil || u.Scheme != "https" || !slices.Contains([]string{"github.com", "www.github.com", "gitlab.com",
		"www.gitlab.com"}, u.Host) || !strings.Contains(strings.ToLower(identifier), "mcp") {
		r.found("REG-008", in, at+"/identifier",
			"the bundle is at %q, expected an https URL on GitHub or GitLab that contains mcp", identifier)
	}
	if in.text(at+"/fileSha256") == "" {
		r.found("REG-008", in, at, "fileSha256 of the bundle is missing")
	}
}

// arguments checks the arguments of a package and returns what they declare.
func (r *run) arguments(in *file, at string) (declared []string) {
	for _, list := range []string{"/runtimeArguments", "/packageArguments"} {
		for _, argument := range in.items(at + list) {
			name := in.text(argument + "/name")
			declared = append(declared, name, in.text(argument+"/valueHint"))
			switch kind := in.text(argument + "/type"); kind {
			case "named":
				r.namedArgument(in, argument, name)
			case "positional":
				if !in.has(argument+"/value") && in.text(argument+"/valueHint") == "" {
					r.found("REG-006", in, argument, "a positional argument has neither value nor valueHint")
				}
			default:
				r.found("REG-006", in, argument, "the type is %q, expected named or positional", kind)
			}
		}
	}
	return declared
}

// namedArgument checks the name of an argument, and that its values do not repeat it.
func (r *run) namedArgument(in *file, at, name string) {
	if name == "" {
		r.found("REG-006", in, at, "a named argument has no name")
		return
	}
	if strings.ContainsAny(name, "<> $") {
		r.found("REG-006", in, at+"/name", "%q is more than a name: remove the value or the placeholder", name)
	}
	for _, member := range []string{"/value", "/default"} {
		if value := in.text(at + member); value != "" && strings.HasPrefix(value, name) {
			r.found("REG-006", in, at+member, "%q repeats the name %s", value, name)
		}
	}
}

// transport checks how a package is reached.
func (r *run) transport(in *file, at string, declared []string) {
	kind, link := in.text(at+"/type"), in.text(at+"/url")
	switch kind {
	case "stdio":
		if link != "" {
			r.found("REG-007", in, at+"/url", "stdio has no URL")
		}
	case "streamable-http", "sse":
		r.templated(in, at, link, declared)
	default:
		r.found("REG-007", in, at, "the type is %q, expected stdio, streamable-http or sse", kind)
	}
}

// remote checks an entry of remotes.
func (r *run) remote(in *file, at string) {
	kind, link := in.text(at+"/type"), in.text(at+"/url")
	if kind != "streamable-http" && kind != "sse" {
		r.found("REG-007", in, at, "the type is %q, expected streamable-http or sse", kind)
		return
	}
	u := r.templated(in, at, link, in.names(at+"/variables"))
	if u == nil {
		return
	}
	host := u.Hostname()
	if u.Scheme != "https" || host == "localhost" || host == "127.0.0.1" || strings.HasSuffix(host, ".localhost") {
		r.found("REG-007", in, at+"/url", "%q is not a public https URL", link)
	}
}

// templated checks a URL with variables; nil if it cannot be parsed.
func (r *run) templated(in *file, at, link string, declared []string) *url.URL {
	if link == "" {
		r.found("REG-007", in, at, "the url is missing")
		return nil
	}
	plain := portVariable().ReplaceAllString(link, ":8080$1")
	for _, scheme := range []string{"{protocol}", "{scheme}"} {
		plain = strings.ReplaceAll(plain, scheme, "http")
	}
	plain = variable().ReplaceAllString(plain, "placeholder")
	u, err := url.Parse(plain)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		r.found("REG-007", in, at+"/url", "%q is not an http or https URL", link)
		return nil
	}
	for _, used := range variable().FindAllStringSubmatch(link, -1) {
		if !slices.Contains(declared, used[1]) {
			r.found("REG-007", in, at+"/url", "variable {%s} is not declared", used[1])
		}
	}
	return u
}

// compact returns JSON without spaces.
func compact(raw json.RawMessage) []byte {
	var out bytes.Buffer
	_ = json.Compact(&out, raw)
	return out.Bytes()
}
