package engines

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// serverLabel is the label with which an image names its server.
const serverLabel = "io.modelcontextprotocol.server.name"

// noDaemon matches what docker and podman print if they cannot run anything here.
var noDaemon = lazyregexp.New(`(?i)cannot connect to the docker daemon|is the docker daemon running|` +
	`permission denied while trying to connect|dial unix|failed to connect to the docker api|cannot connect to podman`)

// installImage pulls an image unless it is on this machine, and returns the command that runs it, as clients do.
func (s *starter) installImage(ctx context.Context, out *ready.Started) ([]string, error) {
	program := ""
	for _, name := range []string{"docker", "podman"} {
		if _, err := s.w.System.LookPath(name); err == nil && program == "" {
			program = name
		}
	}
	if program == "" {
		return nil, &installError{program: "docker or podman", missing: true}
	}
	labels, err := s.labels(ctx, program, out.Package)
	var failed *installError
	if errors.As(err, &failed) && !failed.ours() {
		if _, err := s.step(ctx, s.temp, program, "pull", "--quiet", out.Package); err != nil {
			return nil, err
		}
		labels, err = s.labels(ctx, program, out.Package)
	}
	if err != nil {
		return nil, err
	}
	out.Owns = func(server string) bool { return labels[serverLabel] == server }
	found, err := s.w.System.LookPath(program)
	if err != nil {
		return nil, err
	}
	name := "mcptest-ready-" + strings.ToLower(rand.Text()[:10])
	s.ends = append(s.ends, func() {
		_, _ = s.step(context.WithoutCancel(ctx), s.temp, program, "rm", "--force", name)
	})
	out.Env = append(out.Env, s.env...)
	command := []string{found, "run", "--rm", "--interactive", "--name", name}
	command = append(command, containerArgs(out)...)
	out.Env = append(out.Env, installEnv(s.w.System.Environ)...)
	return append(command, out.Package), nil
}

// labels returns the labels of an image on this machine.
func (s *starter) labels(ctx context.Context, program, image string) (map[string]string, error) {
	output, err := s.step(ctx, s.temp, program, "image", "inspect", "--format", "{{json .Config.Labels}}", image)
	if err != nil {
		return nil, err
	}
	var labels map[string]string
	for _, line := range lastLines(output, 1) { // warnings come before it
		_ = json.Unmarshal([]byte(line), &labels) // an image without labels has null
	}
	return labels, nil
}

// containerArgs are the arguments of docker run: the names of the declared variables, whose values are in the environment
// and not in the list of processes, and ports, for this machine alone.
func containerArgs(out *ready.Started) []string {
	var args []string
	for _, pair := range out.Env {
		name, _, _ := strings.Cut(pair, "=")
		args = append(args, "--env", name)
	}
	published := false
	for i := 0; i < len(out.Runtime); i++ {
		flag, value, joined := strings.Cut(out.Runtime[i], "=")
		if slices.Contains([]string{"-i", "--interactive", "--rm"}, flag) {
			continue // given above
		}
		if !joined && i+1 < len(out.Runtime) && flag != "--init" {
			i++
			value = out.Runtime[i]
		}
		switch flag {
		case "--init":
			args = append(args, flag)
		case "-p", "--publish":
			published = true
			args = append(args, "--publish", onLoopback(value))
		default:
			args = append(args, "--env", value)
		}
	}
	if u, err := url.Parse(out.URL); out.URL != "" && err == nil && !published {
		args = append(args, "--publish", onLoopback(u.Port()+":"+u.Port()))
	}
	return args
}

// onLoopback publishes a port for this machine alone: HOST:CONTAINER, with or without an address.
func onLoopback(ports string) string {
	parts := strings.Split(ports, ":")
	return "127.0.0.1:" + strings.Join(parts[max(0, len(parts)-2):], ":")
}
