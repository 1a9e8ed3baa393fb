package hosttools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/hostrun"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A hostProgram is a host with its executable.
type hostProgram struct {
	host    hostrun.Host
	version string // wanted; empty for any
	path    string
}

// fetchOptions are which hosts to find, and where.
type fetchOptions struct {
	run   []string
	from  string // empty for PATH
	fetch bool   // download without asking
}

// hostPrograms are the hosts to start.
type hostPrograms struct {
	list []hostProgram
	self string // mcptest
	temp string // downloaded hosts; empty if there are none
}

func (p *hostPrograms) remove() {
	if p.temp != "" {
		_ = os.RemoveAll(p.temp)
	}
}

// findPrograms finds the executable of every host before one is started. Those that are not installed, and those of
// which the user wants a version, are downloaded if the user agrees.
func findPrograms(ctx context.Context, w *workbench.Workbench, in fetchOptions) (_ *hostPrograms, err error) {
	list, err := selectRuns(workbench.Commas(in.run))
	if err != nil {
		return nil, err
	}
	out := &hostPrograms{list: list}
	defer func() {
		if err != nil {
			out.remove()
		}
	}()
	if len(w.Supervisor) > 0 {
		out.self = w.Supervisor[0]
	} else if out.self, err = os.Executable(); err != nil {
		return nil, err
	}
	for i := range list {
		p := &list[i]
		if p.version == "" {
			p.path, err = hostrun.Locate(p.host, in.from, w.System.LookPath)
			var missing *hostrun.NotInstalled
			if err == nil {
				continue
			} else if !errors.As(err, &missing) {
				return nil, &workbench.UsageError{Message: err.Error(),
					Hint: hint.Text("run: npm install --prefix " + in.from + " " + p.host.Package)}
			}
		}
		if err := agreeToFetch(ctx, w, in, p); err != nil {
			return nil, err
		}
		if out.temp == "" {
			if out.temp, err = os.MkdirTemp("", "mcptest-hosts-"); err != nil {
				return nil, err
			}
		}
		if err := p.fetch(ctx, w, out.temp); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// agreeToFetch asks the user whether to download a host, unless a flag has allowed it.
func agreeToFetch(ctx context.Context, w *workbench.Workbench, in fetchOptions, p *hostProgram) error {
	if in.fetch {
		return nil
	}
	refused := &workbench.UsageError{Message: fmt.Sprintf("%s is not installed: %s is not in PATH", p.host.ID,
		p.host.Program), Hint: hint.Text(fmt.Sprintf("use {--fetch} to download %s with npm into a temporary directory, "+
		"or run: npm install -g %s", p.host.Package, p.host.Package))}
	if p.version != "" {
		refused.Message = fmt.Sprintf("%s@%s requires --fetch", p.host.ID, p.version)
	}
	if w.Ask == nil {
		return refused
	}
	answer, err := w.Ask(ctx, fmt.Sprintf("Download %s@%s with npm into a temporary directory?", p.host.Package,
		cmp.Or(p.version, "latest")), json.RawMessage(`{"type":"object","required":["download"],"properties":`+
		`{"download":{"type":"boolean","description":"true or false"}}}`),
		func(json.RawMessage) []schema.Violation { return nil })
	if err != nil {
		return err
	}
	var agreed struct{ Download bool }
	if json.Unmarshal(answer, &agreed) != nil || !agreed.Download {
		return refused
	}
	return nil
}

// fetch downloads a host. npm gets no variables of the user but those of every server, and the proxies.
func (p *hostProgram) fetch(ctx context.Context, w *workbench.Workbench, folder string) error {
	version := cmp.Or(p.version, "latest")
	w.Event(workbench.Event{Line: fmt.Sprintf("downloading %s@%s", p.host.Package, version)})
	env := wire.BaseEnv()
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(strings.ToUpper(pair), "="); name == "HTTPS_PROXY" || name == "HTTP_PROXY" ||
			name == "NO_PROXY" {
			env = append(env, pair)
		}
	}
	command := hostrun.InstallCommand(p.host, version, folder)
	if _, err := w.System.LookPath(command[0]); err != nil {
		return &workbench.UsageError{Message: "cannot start npm: " + err.Error(), Hint: "install Node.js, which includes npm"}
	}
	said, err := engines.RunProgram(ctx, wire.Target{Command: command, Env: env, Dir: folder, Supervisor: w.Supervisor})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return &workbench.UsageError{Message: fmt.Sprintf("npm cannot install %s@%s: %v", p.host.Package, version, err),
			Hint: hint.Text(clip.Text(said, 300))}
	}
	p.path, err = hostrun.Locate(p.host, folder, w.System.LookPath)
	return err
}
