package target

import (
	"bufio"
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/hint"
)

// inherited are the variables that a server gets from our environment by default. All others may contain secrets.
var inherited = []string{"PATH", "HOME", "LOGNAME", "SHELL", "TERM", "USER", "LANG", "TMPDIR"}

// inheritedWindows are those that programs need to start on Windows.
var inheritedWindows = []string{
	"PATH", "PATHEXT", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "TEMP", "TMP", "APPDATA", "LOCALAPPDATA",
	"PROGRAMDATA",
	"PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "COMMONPROGRAMFILES", "USERPROFILE", "USERNAME", "HOMEDRIVE",
	"HOMEPATH",
	"PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS", "OS", "LANG",
}

// environment returns the complete environment of a server: ours by the allow-list, the file of the entry, the
// variables of the entry, those of the user.
func (r *resolver) environment(entry *config.Entry) ([]string, error) {
	env := &environment{windows: r.sys.GOOS == "windows"}
	for _, pair := range r.sys.Environ {
		name, value, _ := strings.Cut(pair, "=")
		if env.inherits(name) {
			env.set(name, value)
		}
	}
	if entry != nil {
		if err := r.entryEnvironment(env, entry); err != nil {
			return nil, err
		}
	}
	for _, given := range r.spec.Env {
		if err := r.given(env, given); err != nil {
			return nil, err
		}
	}
	slices.Sort(env.named)
	r.out.EnvNames = slices.Compact(env.named)
	return env.pairs, nil
}

func (r *resolver) entryEnvironment(env *environment, entry *config.Entry) error {
	variables, err := envFile(entry)
	if err != nil {
		return err
	}
	for _, v := range append(variables, entry.Env...) {
		if !validVariable(v.Name, v.Value) {
			return &Error{Message: fmt.Sprintf("server %q: environment variable %q has an invalid name or value",
				entry.Name, v.Name)}
		}
		env.name(v.Name, v.Value)
		r.rememberEnv(v.Name, v.Value)
	}
	return nil
}

func (r *resolver) given(env *environment, given string) error {
	name, value, hasValue := strings.Cut(given, "=")
	if !validVariable(name, value) {
		return &Error{Message: fmt.Sprintf("--env %q has no valid name", name),
			Hint: "use NAME=value, or NAME to pass your own value through"}
	}
	if r.spec.FromAPI {
		if !hasValue {
			return &Error{Message: fmt.Sprintf("environment variable %s: only the user may pass a variable through",
				name)}
		}
		if LoadsCode(name) {
			return &Error{Message: fmt.Sprintf("environment variable %s can make a program run other code; only the "+
				"user may set it", name)}
		}
	}
	if !hasValue {
		passed, set := r.sys.Lookup(name)
		if !set {
			return &Error{Message: fmt.Sprintf("--env %s: variable is not set", name),
				Hint: hint.Text(fmt.Sprintf("use {--env} %s=… to set a value", name))}
		}
		value = passed
	}
	env.name(name, value)
	r.out.Secrets.Add(value)
	return nil
}

// Variables that make loaders, interpreters and tools load code, or that determine which programs they run.
var (
	codePrefixes = []string{
		"LD_", "DYLD_", "GLIBC_", "PYTHON", "GIT_", "NODE_", "NPM_CONFIG_", "PERL", "RUBY", "BASH_FUNC_", "DOTNET_",
		"CORECLR_", "COR_", "COMPLUS_",
		"ASPNETCORE_", "UV_", "PIP_", "PIPX_", "POETRY_", "CONDA_", "GEM_", "BUNDLE_", "DENO_", "BUN_", "YARN_",
		"PNPM_", "COREPACK_", "TS_NODE_",
		"TSX_", "BABEL_", "VOLTA_", "ASDF_", "MISE_", "PYENV_", "RBENV_", "MAVEN_", "GRADLE_", "CARGO_", "RUSTC",
		"PHP_", "LUA_", "DOCKER_", "JULIA_",
		"ERL_", "ELIXIR_", "R_", "TCL", "GUILE_", "OCAML", "CAML_", "JAVA_", "JVM_", "SSL_CERT_", "XDG_", "CLOUDSDK_",
	}
	codeNames = []string{
		"BASH_ENV", "ENV", "PATH", "PATHEXT", "COMSPEC", "SHELL", "IFS", "SHELLOPTS", "BASHOPTS", "PS4",
		"PROMPT_COMMAND", "ZDOTDIR",
		"_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "GCONV_PATH", "LOCPATH", "NLSPATH", "VIRTUAL_ENV",
		"PSMODULEPATH",
		"EDITOR", "VISUAL", "PAGER", "MANPAGER", "LESSOPEN", "LESSCLOSE", "BROWSER", "HOME", "USERPROFILE", "APPDATA",
		"OPENSSL_CONF", "GTK_MODULES",
		"OPENSSL_ENGINES", "OPENSSL_MODULES", "GIO_EXTRA_MODULES", "QT_PLUGIN_PATH", "SSH_ASKPASS", "SUDO_ASKPASS",
		"PHPRC", "GOFLAGS", "GOROOT", "GOPATH", "GOENV", "GOTOOLCHAIN", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GOINSECURE",
		"KUBECONFIG", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", // files of commands that return credentials
		// with these, a launcher downloads other code
		"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
	}
)

// LoadsCode reports whether a variable can make a program run other code. Case is ignored.
func LoadsCode(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(codePrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) ||
		slices.Contains(codeNames, name)
}

func validVariable(name, value string) bool {
	return name != "" && !strings.ContainsAny(name, "=\x00\r\n") && !strings.Contains(value, "\x00")
}

// An environment contains each variable once, in order of first occurrence.
type environment struct {
	windows bool // names are case-insensitive
	pairs   []string
	named   []string // names that were set explicitly
}

func (e *environment) inherits(name string) bool {
	if e.windows {
		return slices.Contains(inheritedWindows, strings.ToUpper(name))
	}
	return slices.Contains(inherited, name) || strings.HasPrefix(name, "LC_")
}

func (e *environment) name(name, value string) {
	e.named = append(e.named, name)
	e.set(name, value)
}

func (e *environment) set(name, value string) {
	for i, pair := range e.pairs {
		known, _, _ := strings.Cut(pair, "=")
		if known == name || e.windows && strings.EqualFold(known, name) {
			e.pairs[i] = name + "=" + value
			return
		}
	}
	e.pairs = append(e.pairs, name+"="+value)
}

// envFile reads the file of variables that an entry may name: NAME=value lines, # comments, optional quotes.
func envFile(entry *config.Entry) ([]config.Variable, error) {
	if entry.EnvFile == "" {
		return nil, nil
	}
	file := entry.EnvFile
	if !filepath.IsAbs(file) {
		file = filepath.Join(entry.Root, file)
	}
	source, err := config.ReadRegular(file)
	if err != nil {
		return nil, &Error{Message: fmt.Sprintf("server %q: envFile: %v", entry.Name, err)}
	}
	var variables []config.Variable
	lines := bufio.NewScanner(bytes.NewReader(source))
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, found := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		if !found {
			return nil, &Error{Message: fmt.Sprintf("%s:%d: missing =, expected NAME=value", file, number)}
		}
		variables = append(variables, config.Variable{Name: strings.TrimSpace(name),
			Value: unquote(strings.TrimSpace(value))})
	}
	if err := lines.Err(); err != nil {
		return nil, &Error{Message: fmt.Sprintf("%s: %v", file, err)}
	}
	return variables, nil
}

func unquote(value string) string {
	if n := len(value); n >= 2 && value[0] == value[n-1] && (value[0] == '"' || value[0] == '\'') {
		return value[1 : n-1]
	}
	return value
}
