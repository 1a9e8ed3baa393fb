package engines

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// installTimeout limits one step of an installation.
const installTimeout = 5 * time.Minute

// offline is what package managers print without a network.
var offline = lazyregexp.New(`ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|Name or service not known|Temporary failure in name|` +
	`Failed to establish a new connection`)

// install installs a package in the temporary folder, as its users do, and returns the command that starts it.
func (s *starter) install(ctx context.Context, out *ready.Started) []string {
	dir, err := os.MkdirTemp(s.temp, out.Kind+"-")
	if err == nil && out.Folder != "" {
		out.Folder = filepath.Join(s.home.Dir, filepath.FromSlash(out.Folder))
	}
	var command []string
	if err == nil && out.Kind == "npm" {
		command, err = s.installNPM(ctx, out, dir)
	} else if err == nil {
		command, err = s.installPython(ctx, out, dir)
	}
	var failed *installError
	switch {
	case errors.As(err, &failed) && (failed.missing || offline().MatchString(failed.output)):
		out.Cannot = failed.Error()
	case errors.As(err, &failed):
		out.Stderr = lastLines(failed.output, 8)
		out.Problem = failed.Error()
	case err != nil:
		out.Problem = s.plain(err.Error())
	}
	return command
}

// installNPM installs a package, packed first if it is in the folder, and returns its program: the one that npx starts.
func (s *starter) installNPM(ctx context.Context, out *ready.Started, dir string) ([]string, error) {
	spec := out.Package + "@" + out.Version
	if out.Folder != "" {
		if err := s.step(ctx, dir, "npm", "pack", "--silent", "--pack-destination", dir, out.Folder); err != nil {
			return nil, err
		}
		packed, _ := filepath.Glob(filepath.Join(dir, "*.tgz"))
		if len(packed) != 1 {
			return nil, errors.New("npm pack made no package")
		}
		spec = packed[0]
	}
	app := filepath.Join(dir, "app")
	err := s.step(ctx, dir, "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", app, spec)
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
	if err := s.step(ctx, dir, python, "-m", "venv", dir); err != nil {
		return nil, err
	}
	spec := out.Package + "==" + out.Version
	if out.Folder != "" {
		spec = out.Folder
	}
	programs = filepath.Join(dir, programs)
	err := s.step(ctx, dir, filepath.Join(programs, "python"+suffix), "-m", "pip", "install", "--quiet",
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

// step runs one step of an installation, without the variables of the user.
func (s *starter) step(ctx context.Context, dir, program string, args ...string) error {
	found, err := s.w.System.LookPath(program)
	if err != nil {
		return &installError{program: program, missing: true}
	}
	ctx, cancel := context.WithTimeout(ctx, installTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, found, args...)
	var output bytes.Buffer
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, wire.BaseEnv(), 2*time.Second
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		return &installError{program: filepath.Base(program), output: s.plain(output.String()), err: err}
	}
	return nil
}

// An installError is why a package could not be installed.
type installError struct {
	program, output string
	missing         bool // the program is not installed
	err             error
}

// Error says which program failed.
func (e *installError) Error() string {
	switch {
	case e.missing:
		return e.program + " is not installed"
	case offline().MatchString(e.output):
		return "the package cannot be downloaded: there is no network"
	}
	return fmt.Sprintf("the package cannot be installed: %s: %v", e.program, e.err)
}
