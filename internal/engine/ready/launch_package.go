package ready

import (
	"path"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// packageLaunch is how a client starts a package of server.json. A package of this folder is made from it: it is what will
// be published.
func packageLaunch(in *file, at string, local []localPackage, home *Home) Launch {
	kind, name := in.text(at+"/registryType"), in.text(at+"/identifier")
	l := Launch{Place: Registry, File: serverFile, Pointer: at, What: "the " + kind + " package " + name, Kind: kind,
		Package: name, Version: in.text(at + "/version")}
	i := slices.IndexFunc(local, func(p localPackage) bool { return p.kind == kind && p.name == name })
	if i >= 0 {
		l.Folder = local[i].folder
	}
	var missing, unset []string
	for _, variable := range in.items(at + "/environmentVariables") {
		name := in.text(variable + "/name")
		value, ok := inputValue(in, variable, name, home)
		if ok {
			l.Env = append(l.Env, name+"="+value)
		} else if in.isTrue(variable + "/isRequired") {
			unset = append(unset, name)
		}
	}
	l.Args, missing = packageArguments(in, at+"/packageArguments", home)
	refused, transport := "", in.text(at+"/transport/type")
	if kind == "oci" {
		var more []string
		refused, more = l.imageRuntime(in, at, home)
		missing = append(missing, more...)
	}
	if transport != "stdio" {
		missing = append(missing, l.serving(in, at, home)...)
	}
	switch {
	case kind != "npm" && kind != "pypi" && kind != "oci":
		l.Cannot = "only packages of npm and PyPI, images, bundles and remotes are started; start " + path.Base(name) +
			" yourself and pass it as a server"
	case !isPackageName(kind, name) || kind != "oci" && l.Folder == "" && !packageVersion().MatchString(l.Version):
		l.Cannot = "its identifier or version is not one of " + kind + " (REG-017)" // it could be an option
	case refused != "":
		l.Cannot = "the runtime argument " + refused + " can give a container access to this machine; start the image " +
			"yourself and pass it as a server"
	case len(unset) > 0:
		l.Cannot = missingValues("--env", unset)
	case len(missing) > 0:
		l.Cannot = missingValues("--set", slices.Compact(missing))
	case transport != "stdio" && !onThisMachine(l.URL):
		l.Cannot = "its URL " + l.URL + " is not on this machine; start it yourself and pass its URL as a server"
	}
	return l
}

// packageArguments returns the arguments of a package, and the names of those that the user has to give.
func packageArguments(in *file, at string, home *Home) (args, missing []string) {
	for _, argument := range in.items(at) {
		flag := in.text(argument + "/name")
		name := flag
		if in.text(argument+"/type") == "positional" {
			flag, name = "", in.text(argument+"/valueHint")
		}
		value, ok := inputValue(in, argument, name, home)
		switch {
		case !ok && flag != "" && isSwitch(in, argument):
			args = append(args, flag)
		case ok && flag != "":
			args = append(args, flag, value)
		case ok:
			args = append(args, value)
		case in.isTrue(argument + "/isRequired"):
			missing = append(missing, name)
		}
	}
	return args, missing
}

// isSwitch reports whether a named argument has nothing but a name: it is given as it is.
func isSwitch(in *file, at string) bool {
	for _, name := range in.names(at) {
		if name != "type" && name != "name" && name != "description" && name != "isRequired" && name != "isRepeated" {
			return false
		}
	}
	return in.isTrue(at+"/isRequired") || !in.has(at+"/isRequired")
}

// inputValue returns the value of an input: as the user gave it, as it is fixed, or its default.
func inputValue(in *file, at, name string, home *Home) (string, bool) {
	if given, ok := home.Values[name]; ok && name != "" {
		return given, true
	}
	for _, member := range []string{"/value", "/default"} {
		if !in.has(at + member) {
			continue
		}
		value, complete := in.text(at+member), true
		for _, used := range variable().FindAllStringSubmatch(value, -1) {
			declared := at + "/variables/" + schema.Token(used[1])
			inner, ok := inputValue(in, declared, used[1], home)
			if in.has(declared) {
				complete = complete && ok
				value = strings.ReplaceAll(value, used[0], inner)
			}
		}
		return value, complete
	}
	return "", false
}

// remoteLaunch is how a client reaches a remote of server.json.
func remoteLaunch(in *file, at string, home *Home) Launch {
	l := Launch{Place: Registry, File: serverFile, Pointer: at, URL: in.text(at + "/url")}
	var missing, headers []string
	for _, used := range variable().FindAllStringSubmatch(l.URL, -1) {
		value, ok := inputValue(in, at+"/variables/"+schema.Token(used[1]), used[1], home)
		if !ok {
			missing = append(missing, used[1])
		}
		l.URL = strings.ReplaceAll(l.URL, used[0], value)
	}
	l.Header, headers = headersOf(in, at, home)
	switch l.What = "the remote " + l.URL; {
	case len(missing) > 0:
		l.What, l.Cannot = "the remote "+in.text(at+"/url"), missingValues("--set", missing)
	case len(headers) > 0:
		l.Cannot = missingValues("--set", headers)
	}
	return l
}
