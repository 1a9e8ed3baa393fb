package ready

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// serving fills in how a client reaches a package that serves HTTP: the URL with its variables, and headers. It returns
// the values that the user has to give.
func (l *Launch) serving(in *file, at string, home *Home) (missing []string) {
	l.URL = in.text(at + "/transport/url")
	for _, used := range variable().FindAllStringSubmatch(l.URL, -1) {
		value, ok := urlVariable(in, at, used[1], home)
		if !ok {
			missing = append(missing, used[1])
		}
		l.URL = strings.ReplaceAll(l.URL, used[0], value)
	}
	var headers []string
	l.Header, headers = headersOf(in, at+"/transport", home)
	return append(missing, headers...)
}

// urlVariable returns the value of a variable in the URL of a package: that of an argument, an environment variable or the
// transport.
func urlVariable(in *file, at, name string, home *Home) (string, bool) {
	if declared := at + "/transport/variables/" + schema.Token(name); in.has(declared) {
		return inputValue(in, declared, name, home)
	}
	for _, list := range []string{"/packageArguments", "/runtimeArguments", "/environmentVariables"} {
		for _, input := range in.items(at + list) {
			if in.text(input+"/name") == name || in.text(input+"/valueHint") == name {
				return inputValue(in, input, in.text(input+"/name"), home)
			}
		}
	}
	return "", false
}

// headersOf returns the headers of a remote or a transport, and the names of those that the user has to give.
func headersOf(in *file, at string, home *Home) (headers, missing []string) {
	for _, header := range in.items(at + "/headers") {
		name := in.text(header + "/name")
		if value, ok := inputValue(in, header, name, home); ok {
			headers = append(headers, name+": "+value)
		} else if in.isTrue(header + "/isRequired") {
			missing = append(missing, name)
		}
	}
	return headers, missing
}

// onThisMachine reports whether a URL is one at which a program on this machine listens for itself alone.
func onThisMachine(link string) bool {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// harmlessRuntime are the arguments of docker run that give a container nothing of this machine.
var harmlessRuntime = []string{"-e", "--env", "-p", "--publish", "-i", "--interactive", "--rm", "--init"}

// imageRuntime fills in the arguments of the program that runs an image. It returns the first one that is not passed on.
func (l *Launch) imageRuntime(in *file, at string, home *Home) (refused string, missing []string) {
	for _, argument := range in.items(at + "/runtimeArguments") {
		name := in.text(argument + "/name")
		if in.text(argument+"/type") == "positional" {
			name = in.text(argument + "/value")
		}
		if flag, _, _ := strings.Cut(name, "="); !slices.Contains(harmlessRuntime, flag) {
			return name, nil
		}
	}
	l.Runtime, missing = packageArguments(in, at+"/runtimeArguments", home)
	return "", missing
}
