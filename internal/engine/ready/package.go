package ready

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// variable is a variable in a URL; the paths of release files are those that the registry accepts.
var (
	githubRelease = lazyregexp.New(`^/[a-zA-Z0-9]([a-zA-Z0-9-]{0,37}[a-zA-Z0-9])?/[\w.-]+/releases/download/[^/]+/[^/]+$`)
	gitlabRelease = lazyregexp.New(`^/[\w.-]+(/[\w.-]+)*/-/(releases/[^/]+/downloads/[^/]+|package_files/[0-9]+/download)$`)
	variable      = lazyregexp.New(`\{([^}]+)\}`)
	portVariable  = lazyregexp.New(`:\{[^}]+\}(/|$)`)
)

// registryPackage checks an entry of packages.
func (r *run) registryPackage(in *file, at string) {
	kind, identifier := in.text(at+"/registryType"), in.text(at+"/identifier")
	if strings.Contains(identifier, " ") {
		r.found("REG-008", in, at+"/identifier", "identifier %q has a space", identifier)
	}
	r.version(in, at+"/version")
	r.identifier(in, at)
	switch kind {
	case "mcpb":
		r.bundlePackage(in, at, identifier)
		r.digest(in, at)
	case "oci":
		for _, member := range []string{"version", "registryBaseUrl", "fileSha256"} {
			if in.text(at+"/"+member) != "" {
				r.found("REG-008", in, at+"/"+member, "an image has no %s: its identifier names the registry and the version",
					member)
			}
		}
	default:
		r.namedPackage(in, at, kind)
	}
	declared := r.arguments(in, at)
	for _, variable := range in.items(at + "/environmentVariables") {
		declared = append(declared, in.text(variable+"/name"))
	}
	r.transport(in, at+"/transport", declared)
}

// bundlePackage checks a package that is a bundle.
func (r *run) bundlePackage(in *file, at, identifier string) {
	if !isRelease(identifier) || !strings.Contains(strings.ToLower(identifier), "mcp") {
		r.found("REG-008", in, at+"/identifier",
			"the bundle is at %q, expected the https URL of a release file on GitHub or GitLab that contains mcp", identifier)
	}
	if in.text(at+"/registryBaseUrl") != "" {
		r.found("REG-008", in, at+"/registryBaseUrl", "a bundle has no registryBaseUrl: its identifier is the whole URL")
	}
	if in.text(at+"/fileSha256") == "" {
		r.found("REG-008", in, at, "fileSha256 of the bundle is missing")
	}
}

// baseURLs are the only registries of packages that the MCP registry accepts.
var baseURLs = map[string]string{"npm": "https://registry.npmjs.org", "pypi": "https://pypi.org",
	"nuget": "https://api.nuget.org/v3/index.json", "cargo": "https://crates.io"}

// namedPackage checks a package that has a name and a version in a registry of packages.
func (r *run) namedPackage(in *file, at, kind string) {
	base, known := baseURLs[kind]
	if !known {
		if kind != "" {
			r.found("REG-008", in, at+"/registryType", "registryType is %q, expected npm, pypi, nuget, cargo, oci or mcpb", kind)
		}
		return
	}
	if in.text(at+"/version") == "" {
		r.found("REG-008", in, at, "the version of the %s package is missing", kind)
	}
	if in.text(at+"/fileSha256") != "" {
		r.found("REG-008", in, at+"/fileSha256", "a %s package has no fileSha256: it is only for bundles", kind)
	}
	if named := in.text(at + "/registryBaseUrl"); named != "" && named != base {
		r.found("REG-008", in, at+"/registryBaseUrl", "registryBaseUrl is %q, expected %s", named, base)
	}
}

// isRelease reports whether a URL is that of a file of a release.
func isRelease(link string) bool {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "https" {
		return false
	}
	switch strings.TrimPrefix(strings.ToLower(u.Host), "www.") {
	case "github.com":
		return githubRelease().MatchString(u.Path)
	case "gitlab.com":
		return gitlabRelease().MatchString(u.Path)
	}
	return false
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
				if !in.has(argument+"/value") && !in.has(argument+"/valueHint") {
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
