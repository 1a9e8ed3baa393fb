package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"time"

	"github.com/mcptest-dev/mcptest/internal/diagnose"
	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// installTimeout limits one step of an installation.
const installTimeout = 5 * time.Minute

// What package managers print if this machine is the cause: without a network, and with another version of Python.
var (
	offline = lazyregexp.New(`ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|Name or service not known|Temporary failure in name|` +
		`Failed to establish a new connection|no such host|network is unreachable`)
	otherPython = lazyregexp.New(`Requires-Python ([^\s;]+)`)
)

// settings are the variables of the user that package managers get: where to download from, and how.
var settings = lazyregexp.New(`(?i)^(npm_config_|docker_(host|config|context|cert_path|tls_verify)=|xdg_runtime_dir=|pip_|uv_|(https?|all|no)_proxy=|ssl_cert_|node_extra_ca_certs=|requests_ca_bundle=)`)

// installEnv returns the environment of package managers.
func installEnv(environ []string) []string {
	env := wire.BaseEnv()
	for _, pair := range environ {
		if settings().MatchString(pair) {
			env = append(env, pair)
		}
	}
	return env
}

// install installs a package in the temporary folder, as its users do, and returns the command that starts it.
func (s *starter) install(ctx context.Context, out *ready.Started) []string {
	dir, err := os.MkdirTemp(s.temp, out.Kind+"-")
	if err == nil && out.Folder != "" {
		out.Folder = filepath.Join(s.home.Dir, filepath.FromSlash(out.Folder))
	}
	var command []string
	switch {
	case err != nil:
	case out.Kind == "npm":
		command, err = s.installNPM(ctx, out, dir)
	case out.Kind == "oci":
		command, err = s.installImage(ctx, out)
	default:
		command, err = s.installPython(ctx, out, dir)
	}
	var failed *installError
	switch {
	case errors.As(err, &failed) && failed.ours():
		out.Cannot = failed.Error()
	case errors.As(err, &failed):
		if out.Problem = failed.Error(); diagnose.CauseOf(failed.output).Text != "" {
			out.Problem = "the package cannot be installed: " + diagnose.CauseOf(failed.output).Text
			break
		}
		out.Stderr = lastLines(failed.output, 8)
	case err != nil:
		out.Problem = s.plain(err.Error())
	}
	return command
}

// installNPM installs a package, packed first if it is in the folder, and returns its program: the one that npx starts.
func (s *starter) installNPM(ctx context.Context, out *ready.Started, dir string) ([]string, error) {
	spec := out.Package + "@" + out.Version
	if out.Folder != "" {
		if _, err := s.step(ctx, dir, "npm", "pack", "--loglevel=error", "--pack-destination", dir, out.Folder); err != nil {
			return nil, err
		}
		packed, _ := filepath.Glob(filepath.Join(dir, "*.tgz"))
		if len(packed) != 1 {
			return nil, errors.New("npm pack made no package")
		}
		spec = packed[0]
	}
	app := filepath.Join(dir, "app")
	_, err := s.step(ctx, dir, "npm", "install", "--loglevel=error", "--no-audit", "--no-fund", "--prefix", app, spec)
	if err != nil {
		return nil, err
	}
	root := filepath.Join(app, "node_modules", filepath.FromSlash(out.Package))
	var installed struct {
		MCPName string          `json:"mcpName"`
		Bin     json.RawMessage `json:"bin"`
	}
	data, err := os.ReadFile(filepath.Join(root, "package.json"))
	if err == nil {
		err = json.Unmarshal(data, &installed)
	}
	if err != nil {
		return nil, err
	}
	if out.Folder == "" {
		out.Owns = func(server string) bool { return installed.MCPName == server }
	}
	program, err := npmProgram(installed.Bin, out.Package)
	return []string{"node", filepath.Join(root, filepath.FromSlash(program))}, err
}

// npmProgram returns the program that npx selects: the only one, or the one with the name of the package.
func npmProgram(bin json.RawMessage, name string) (string, error) {
	var single string
	if json.Unmarshal(bin, &single) == nil && single != "" {
		return single, nil
	}
	var several map[string]string
	_ = json.Unmarshal(bin, &several)
	if program := several[path.Base(name)]; program != "" {
		return program, nil
	}
	if len(several) == 1 {
		for _, program := range several {
			return program, nil
		}
	}
	return "", fmt.Errorf("npx cannot select a program: bin in package.json has no %q", path.Base(name))
}

// installPython installs a package in a new environment and returns its program: the one that uvx starts.
func (s *starter) installPython(ctx context.Context, out *ready.Started, dir string) ([]string, error) {
	python, programs, suffix := "python3", "bin", ""
	if runtime.GOOS == "windows" {
		python, programs, suffix = "python", "Scripts", ".exe"
	}
	if _, err := s.step(ctx, dir, python, "-m", "venv", dir); err != nil {
		return nil, err
	}
	spec := out.Package + "==" + out.Version
	if out.Folder != "" {
		spec = out.Folder
	}
	programs = filepath.Join(dir, programs)
	_, err := s.step(ctx, dir, filepath.Join(programs, "python"+suffix), "-m", "pip", "install", "--quiet",
		"--disable-pip-version-check", spec)
	if err != nil {
		return nil, err
	}
	if out.Folder == "" {
		described, _ := filepath.Glob(filepath.Join(dir, "lib", "python*", "site-packages", "*.dist-info", "METADATA"))
		out.Owns = ready.OwnedBy(described, out.Package)
	}
	program := filepath.Join(programs, out.Package+suffix)
	if _, err := os.Stat(program); err != nil {
		return nil, fmt.Errorf("uvx cannot start it: the package has no program %q", out.Package)
	}
	return []string{program}, nil
}

// step runs one step of an installation, without most variables of the user, and returns its output.
func (s *starter) step(ctx context.Context, dir, program string, args ...string) (string, error) {
	found, err := s.w.System.LookPath(program)
	if err != nil {
		return "", &installError{program: program, missing: true}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, installTimeout, fmt.Errorf("not finished after %v", installTimeout))
	defer cancel()
	output, err := RunProgram(ctx, wire.Target{Command: append([]string{found}, args...), Dir: dir,
		Env: installEnv(s.w.System.Environ), Supervisor: s.w.Supervisor})
	if err != nil {
		return "", &installError{program: filepath.Base(program), output: s.plain(output), err: err}
	}
	return output, nil
}

// An installError is why a package could not be installed.
type installError struct {
	program, output string
	missing         bool // the program is not installed
	err             error
}

// ours reports whether this machine is the cause, and not the package.
func (e *installError) ours() bool {
	return e.missing || offline().MatchString(e.output) || otherPython().MatchString(e.output) ||
		noDaemon().MatchString(e.output)
}

// Error says which program failed.
func (e *installError) Error() string {
	switch {
	case e.missing:
		return e.program + " is not installed"
	case offline().MatchString(e.output):
		return "the package cannot be downloaded: there is no network"
	case noDaemon().MatchString(e.output):
		return e.program + " cannot run containers here: its service is not running, or not accessible"
	case otherPython().MatchString(e.output):
		return "the package requires Python " + otherPython().FindStringSubmatch(e.output)[1]
	}
	return fmt.Sprintf("the package cannot be installed: %s: %v", e.program, e.err)
}
