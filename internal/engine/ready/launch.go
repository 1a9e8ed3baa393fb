package ready

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Launch is how the people who install a server start or reach it: as server.json or manifest.json declares it.
type Launch struct {
	Place   string // Registry or MCPB
	File    string // that declares it
	Pointer string // of the declaration
	What    string // such as: the npm package weather-mcp

	// the package that has to be installed first: npm, pypi or oci, with its name, its version, and the folder that it is made
	// of; the folder is empty for the published package
	Kind, Package, Version, Folder string

	Command []string // the program of a bundle; empty for a package
	Args    []string // of the package
	Runtime []string // arguments of the program that runs an image
	Env     []string // "K=V"
	URL     string   // of a remote, or where a package serves HTTP
	Header  []string // "Name: value"

	Cannot string // why it cannot be started here; empty if it can
}

// A Home has the folders of the user that bundles can refer to.
type Home struct {
	Dir    string            // the folder of the bundle
	User   string            // the home folder
	Values map[string]string // of settings, variables and arguments, by name
}

// Launches returns what the files of a folder declare, in their order.
func Launches(opts Options, home Home) ([]Launch, error) {
	r := &run{opts: &opts}
	var all []Launch
	in, err := r.read(manifestFile)
	if err != nil {
		return nil, err
	}
	if in != nil && schema.Kind(in.data) == '{' {
		all = append(all, bundleLaunch(in, &home))
	}
	in, err = r.read(serverFile)
	if in == nil || err != nil || !json.Valid(in.data) {
		return all, err
	}
	in.withoutNulls()
	local, err := r.localPackages(in.text("/repository/subfolder"))
	if err != nil {
		return nil, err
	}
	for _, at := range in.items("/packages") {
		all = append(all, packageLaunch(in, at, local, &home))
	}
	for _, at := range in.items("/remotes") {
		all = append(all, remoteLaunch(in, at, &home))
	}
	return all, nil
}

// bundleLaunch is how a host starts a bundle: mcp_config with the overrides of the platform, and its placeholders replaced.
func bundleLaunch(in *file, home *Home) Launch {
	l := Launch{Place: MCPB, File: manifestFile, Pointer: "/server", What: "the bundle"}
	platform := strings.ReplaceAll(runtime.GOOS, "windows", "win32")
	supported := in.texts("/compatibility/platforms")
	var missing []string
	for _, name := range in.names("/user_config") {
		at := "/user_config/" + schema.Token(name)
		if in.isTrue(at+"/required") && home.Values[name] == "" &&
			!in.has(at+"/default") {
			missing = append(missing, name)
		}
	}
	config := func(member string) string {
		override := "/server/mcp_config/platform_overrides/" + platform + "/" + member
		if in.has(override) {
			return override
		}
		return "/server/mcp_config/" + member
	}
	command := in.text(config("command"))
	switch {
	case len(supported) > 0 && !slices.Contains(supported, platform):
		l.Cannot = "the manifest does not list the platform " + platform
	case len(missing) > 0:
		l.Cannot = missingValues("--set", missing)
	case command == "":
		l.Cannot = "the manifest has no command"
	}
	values := placeholderValues(in, home)
	l.Command = append([]string{replaced(command, values)}, expanded(in.texts(config("args")), values)...)
	for _, name := range in.names(config("env")) {
		l.Env = append(l.Env, name+"="+replaced(in.text(config("env")+"/"+schema.Token(name)), values))
	}
	return l
}

// missingValues says which values the user has to give.
func missingValues(flag string, names []string) string {
	for i, name := range names {
		names[i] = flag + " " + name + "=VALUE"
	}
	return "a required value is missing: add " + strings.Join(names, " ")
}

// placeholderValues are the values of all placeholders; those of settings may have several elements.
func placeholderValues(in *file, home *Home) map[string][]string {
	values := map[string][]string{"__dirname": {home.Dir}, "HOME": {home.User}, "/": {string(filepath.Separator)},
		"pathSeparator": {string(filepath.Separator)}}
	for _, folder := range []string{"Desktop", "Documents", "Downloads"} {
		values[strings.ToUpper(folder)] = []string{filepath.Join(home.User, folder)}
	}
	for _, name := range in.names("/user_config") {
		at := "/user_config/" + schema.Token(name) + "/default"
		key := "user_config." + name
		raw, _ := schema.Get(in.values, at)
		switch given, ok := home.Values[name]; {
		case ok:
			values[key] = []string{given}
		case schema.Kind(raw) == '[':
			values[key] = in.texts(at)
		case schema.Kind(raw) == '"':
			values[key] = []string{in.text(at)}
		case raw != nil:
			values[key] = []string{string(raw)}
		}
	}
	for key, all := range values { // a default can refer to a folder
		for i, value := range all {
			if strings.HasPrefix(key, "user_config.") && !strings.Contains(value, "user_config.") {
				all[i] = replaced(value, values)
			}
		}
	}
	return values
}

// replaced replaces the placeholders of a text. Those without a value stay, as in hosts.
func replaced(text string, values map[string][]string) string {
	return placeholder().ReplaceAllStringFunc(text, func(found string) string {
		if value, ok := values[found[2:len(found)-1]]; ok && len(value) == 1 {
			return value[0]
		}
		return found
	})
}

// expanded replaces the placeholders of arguments; one that is a setting with several elements becomes several arguments.
func expanded(args []string, values map[string][]string) (all []string) {
	for _, arg := range args {
		name := strings.TrimSuffix(strings.TrimPrefix(arg, "${"), "}")
		if several, ok := values[name]; ok && arg == fmt.Sprintf("${%s}", name) {
			all = append(all, several...)
			continue
		}
		all = append(all, replaced(arg, values))
	}
	return all
}
