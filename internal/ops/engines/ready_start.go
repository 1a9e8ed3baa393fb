package engines

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/diagnose"
	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A starter installs and starts what the files of a folder declare, in a temporary folder.
type starter struct {
	w    *workbench.Workbench
	in   *ReadyInput
	temp string
	home ready.Home
	env  []string // that the user gave, "K=V"
	ends []func() // what ends the server that is being started
}

// start starts each server that the folder declares, one after another, and records what happened.
func (in *ReadyInput) start(ctx context.Context, w *workbench.Workbench, opts *ready.Options, path string) error {
	temp, err := os.MkdirTemp("", "mcptest-ready-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if temp, err = filepath.EvalSymlinks(temp); err != nil {
		return err
	}
	s := &starter{w: w, in: in, temp: temp, home: ready.Home{User: w.System.Home, Values: map[string]string{}}}
	if err := s.values(); err != nil {
		return err
	}
	unpacked, err := s.open(opts.Folder, path)
	if err != nil {
		return err
	}
	launches, err := ready.Launches(*opts, s.home)
	if err != nil {
		return err
	}
	for i, l := range launches {
		w.Event(workbench.Event{Step: &workbench.Step{Done: i, Total: len(launches), Text: "starting " + l.What}})
		if l.Place == ready.MCPB && unpacked != "" {
			l.Cannot = unpacked
		}
		opts.Started = append(opts.Started, s.launch(ctx, l))
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	w.Event(workbench.Event{Over: true})
	return nil
}

// values reads what the user gave with --set and --env. Any of it can be a secret.
func (s *starter) values() error {
	for _, flag := range []struct {
		name  string
		given []string
	}{{"--set", s.in.Set}, {"--env", s.in.Env}} {
		for _, pair := range flag.given {
			name, value, given := strings.Cut(pair, "=")
			if !given {
				value, given = s.w.Variable(name)
			}
			if !given || name == "" {
				return &workbench.UsageError{Message: fmt.Sprintf("%s %s: variable is not set", flag.name, name),
					Hint: hint.Text(fmt.Sprintf("use {%s} %s=… to set a value", flag.name, name))}
			}
			s.home.Values[name] = value
			s.w.Secrets.Add(value)
			if flag.name == "--env" {
				s.env = append(s.env, name+"="+value)
			}
		}
	}
	return nil
}

// open finds the folder of the files; a bundle is unpacked first. It returns why that was not possible.
func (s *starter) open(folder fs.FS, path string) (problem string, err error) {
	bundle, packed := folder.(*zip.Reader)
	if !packed {
		s.home.Dir, err = filepath.Abs(folderOf(path))
		return "", err
	}
	s.home.Dir = filepath.Join(s.temp, "bundle")
	if err := os.Mkdir(s.home.Dir, 0o700); err != nil {
		return "", err
	}
	if err := ready.Unpack(bundle, s.home.Dir); err != nil {
		return "not unpacked: " + err.Error(), nil
	}
	return "", nil
}

// launch installs and starts one server.
func (s *starter) launch(ctx context.Context, l ready.Launch) ready.Started {
	out := ready.Started{Launch: l}
	if out.Cannot == "" {
		out.Cannot = occupied(ctx, l)
	}
	if out.Cannot != "" {
		return out
	}
	defer func() {
		for _, end := range slices.Backward(s.ends) {
			end()
		}
		s.ends = nil
	}()
	command := l.Command
	if l.Kind != "" {
		if command = s.install(ctx, &out); out.Cannot != "" || out.Problem != "" {
			return out
		}
	}
	session, err := s.connect(ctx, out.Launch, append(slices.Clone(command), l.Args...))
	if refused := rejection(err); refused != nil && l.URL != "" {
		out.Authorization = s.in.authorization(ctx, s.w, wire.Target{URL: l.URL, Insecure: s.in.Insecure}, refused)
	}
	if err != nil {
		s.failed(&out, err)
		return out
	}
	defer session.Close()
	out.Name, out.Reports = schema.TextAt(session.Server, "/name"), schema.TextAt(session.Server, "/version")
	if out.Tools, err = listed(ctx, session, "tools/list"); err != nil {
		s.failed(&out, err)
		return out
	}
	if out.Views, err = viewsOf(ctx, session, out.Tools); err != nil {
		s.failed(&out, err)
		return out
	}
	if _, has := schema.Get(session.Capabilities, "/prompts"); has {
		prompts, _ := listed(ctx, session, "prompts/list")
		for _, p := range prompts {
			out.Prompts = append(out.Prompts, schema.TextAt(p, "/name"))
		}
	}
	return out
}

// connect starts a program in an empty folder and with its declared variables, connects to what it serves, or to a
// remote.
func (s *starter) connect(ctx context.Context, l ready.Launch, command []string) (*mcp.Session, error) {
	c := s.in.Connection
	c.Target, c.Command, c.Env, c.Cwd = "", nil, nil, ""
	if err := c.Check(); err != nil {
		return nil, err
	}
	elsewhere := filepath.Join(s.temp, "elsewhere") // hosts do not start a server in its folder
	if err := os.MkdirAll(elsewhere, 0o700); err != nil {
		return nil, err
	}
	env := append(append(wire.BaseEnv(), l.Env...), s.env...)
	program := wire.Target{Command: command, Env: env, Dir: elsewhere, Supervisor: s.w.Supervisor}
	if l.URL == "" {
		return s.w.Dial(ctx, &c, program, s.w.Client)
	}
	c.Target, c.Header = l.URL, append(slices.Clone(c.Header), l.Header...)
	if l.Kind == "" {
		return s.w.Connect(ctx, &c, s.w.Client)
	}
	said, stop, err := s.serve(ctx, l, program)
	if err != nil {
		return nil, err
	}
	s.ends = append(s.ends, stop)
	session, err := s.w.Connect(ctx, &c, s.w.Client)
	var failure *wire.Error
	if errors.As(err, &failure) && failure.Stderr == "" {
		failure.Stderr = said.text()
	}
	return session, err
}

// failed records why a server did not start. A remote that requires a sign-in was reached; its tools are not known.
func (s *starter) failed(out *ready.Started, err error) {
	var status *wire.StatusError
	if out.URL != "" && errors.As(err, &status) && status.Status == http.StatusUnauthorized {
		if out.NeedsHeader = !strings.Contains(status.Header.Get("Www-Authenticate"), "resource_metadata"); !out.NeedsHeader {
			out.Cannot = "it requires a sign-in; run: mcptest auth " + out.URL + ", then pass the URL as a server"
			return
		}
	}
	var failure *wire.Error
	if !errors.As(err, &failure) || failure.Err == nil {
		out.Problem = s.plain(err.Error())
		return
	}
	out.Problem = s.plain(failure.Err.Error())
	cause := diagnose.CauseOf(failure.Stderr)
	if out.Variable = cause.Variable; cause.Text != "" {
		out.Problem += "; " + s.plain(cause.Text)
		return // the output says no more
	}
	out.Stderr = lastLines(s.plain(failure.Stderr), 8)
}

// plain returns a text without the temporary folder, which has another name each time.
func (s *starter) plain(text string) string { return strings.ReplaceAll(text, s.temp, "TEMP") }

// lastLines returns the last lines of a text that are not empty.
func lastLines(text string, n int) []string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
	return lines[max(0, len(lines)-n):]
}

// listed returns the entries of a list.
func listed(ctx context.Context, s *mcp.Session, method string) ([]json.RawMessage, error) {
	list, err := s.List(ctx, method)
	if err != nil {
		return nil, err
	}
	if list.Refused != nil {
		return nil, fmt.Errorf("the server rejected %s: %w", method, list.Refused)
	}
	all := []json.RawMessage{}
	for _, item := range list.Items {
		all = append(all, item.Raw)
	}
	return all, nil
}
