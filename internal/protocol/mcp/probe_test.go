package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// without is a script without the rule of a method.
func without(script, method string) string {
	var kept []string
	for _, rule := range strings.Split("\n"+script, "\non ") {
		if rule = strings.TrimSpace(rule); rule != "" && !strings.HasPrefix(rule, method+"\n") {
			kept = append(kept, "on "+rule)
		}
	}
	return strings.Join(kept, "\n") + "\n"
}

func TestProbe(t *testing.T) {
	quiet := without(legacyGreeting, "server/discover")
	for name, tt := range map[string]struct {
		script, version, why string
		takes                time.Duration
	}{
		"modern":           {modernGreeting, spec.NewestModern, "server/discover lists 2026-07-28", 0},
		"refuses discover": {legacyGreeting, spec.NewestLegacy, "returned error -32601", 0},
		"legacy-only discover": {quiet + "on server/discover\n\tresult {\"supportedVersions\":[\"2025-11-25\"]}\n",
			spec.NewestLegacy, "lists only 2025-11-25", 0},
		"discover without a list": {quiet + "on server/discover\n\tresult {}\n", spec.NewestLegacy,
			"has no supportedVersions", 0},
		"exits on the probe": {quiet + "on server/discover\n\texit 1\n", spec.NewestLegacy,
			"exited on server/discover", 0},
		"silent": {quiet, spec.NewestLegacy, "no response to server/discover within 7.",
			7500 * time.Millisecond},
		"null id": {quiet + "on server/discover\n\tsend " +
			"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"no\"}}\n", spec.NewestLegacy,
			"no response to server/discover", 0},
		"refuses the version": {"on server/discover\n\tsend " +
			"{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32022,\"message\":\"no\",\"data\":{\"supported\":[\"2026-07-28\"]}}}\n" + modernGreeting, spec.NewestModern, "supports 2026-07-28", 0},
		"refuses all but old": {quiet + "on server/discover\n\tsend " +
			"{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32022,\"message\":\"no\",\"data\":{\"supported\":[\"2025-06-18\"]}}}\n", spec.NewestLegacy, "supports only 2025-06-18", 0},
		"modern code": {"on server/discover\n\terror -32021 no\n" + modernGreeting, spec.NewestModern,
			"which only 2026-07-28 defines", 0},
		"slow but modern": {"on server/discover\n\tsleep 1h\non initialize\n\terror -32022 no\n",
			spec.NewestModern, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := wiretest.New(tt.script)
				start := time.Now()
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				s, err := Connect(ctx, wire.Target{Serve: server.Serve}, nil, &Options{Timeout: 30 * time.Second})
				took := time.Since(start)
				if name == "slow but modern" {
					if !errors.Is(err, context.DeadlineExceeded) || len(server.Got("initialize")) != 1 ||
						len(server.Got("server/discover")) != 2 {
						t.Errorf("%v; the server got %v", err, server.Received())
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				if s.Version != tt.version || !strings.Contains(s.Why, tt.why) {
					t.Errorf("%s because %s; want %s because %s", s.Version, s.Why, tt.version, tt.why)
				}
				if took < tt.takes || took > tt.takes+time.Second {
					t.Errorf("took %v, want %v", took, tt.takes)
				}
				if len(s.Notices()) > 0 && name != "null id" {
					t.Errorf("the probe was noticed: %v", s.Notices())
				}
			})
		})
	}
}

func TestForcedRevisions(t *testing.T) {
	for _, revision := range spec.IDs() {
		s, server := play(t, revision, "", Options{})
		if s.Version == "" || s.Era != spec.EraOf(revision) || len(server.Got("ping")) != 0 {
			t.Errorf("%s: speaks %s, era %s", revision, s.Version, s.Era)
		}
		first := server.Received()[0]
		if want := map[spec.Era]string{spec.Legacy: "initialize",
			spec.Modern: "server/discover"}[s.Era]; first.Method != want || !strings.Contains(first.Body, revision) {
			t.Errorf("%s: the first message is %s", revision, first.Body)
		}
		if string(s.Server) != `{"name":"s","version":"1"}` || !s.Declares("tools") || s.Declares("prompts") ||
			s.Handshake == nil {
			t.Errorf("%s: server %s, capabilities %s", revision, s.Server, s.Capabilities)
		}
		if s.Era == spec.Legacy && s.Version != spec.NewestLegacy {
			t.Errorf("%s: the server answered 2025-11-25, but %s is spoken", revision, s.Version)
		}
	}
}

// What we declare depends on the handlers and on the revision.
func TestCapabilities(t *testing.T) {
	o := &Options{Tasks: true,
		Roots:       func(context.Context) (r json.RawMessage, err error) { return nil, nil },
		Sampling:    func(context.Context, json.RawMessage) (r json.RawMessage, err error) { return nil, nil },
		Elicitation: func(context.Context, json.RawMessage) (r json.RawMessage, err error) { return nil, nil }}
	for revision, want := range map[string]string{
		"2024-11-05": `{"roots":{},"sampling":{}}`,
		"2025-03-26": `{"roots":{},"sampling":{}}`,
		"2025-06-18": `{"roots":{},"sampling":{},"elicitation":{}}`,
		"2025-11-25": `{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}},"tasks":{"list":{},"cancel":{},` +
			`"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}}}`,
		"2026-07-28": `{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}},` +
			`"extensions":{"io.modelcontextprotocol/tasks":{}}}`,
	} {
		if got := string(o.capabilities(revision)); got != want {
			t.Errorf("%s: %s, want %s", revision, got, want)
		}
	}
	if got := string((&Options{}).capabilities(spec.NewestModern)); got != `{}` {
		t.Errorf("without handlers: %s", got)
	}
}

// countStarts returns a command that plays the script and writes a line to a file at each start and each exit.
func countStarts(t *testing.T, script string) (target wire.Target, lines func() string) {
	argv, env := wiretest.Command(script)
	file := filepath.Join(t.TempDir(), "starts")
	argv = append([]string{"/bin/sh", "-c", `echo start >>"$0"; "$@"; status=$?; echo exit >>"$0"; exit $status`, file},
		argv...)
	return wire.Target{Command: argv, Env: append(env, "PATH="+os.Getenv("PATH"))}, func() string {
		text, _ := os.ReadFile(file)
		return strings.ReplaceAll(string(text), "\n", " ")
	}
}

// A process is asked on the connection that is used. Only one that exits on the probe is started again, when it is
// gone.
func TestOneProcess(t *testing.T) {
	quiet := without(legacyGreeting, "server/discover")
	for name, tt := range map[string]struct{ script, version, lines string }{
		"handshake":  {legacyGreeting, spec.NewestLegacy, "start "},
		"modern":     {modernGreeting, spec.NewestModern, "start "},
		"both":       {modernGreeting + quiet, spec.NewestModern, "start "},
		"ignores it": {quiet, spec.NewestLegacy, "start "},
		"exits":      {quiet + "on server/discover\n\texit 1\n", spec.NewestLegacy, "start exit start "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target, lines := countStarts(t, tt.script)
			log := wire.NewTranscript(nil)
			s, err := Connect(t.Context(), target, log, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if s.Version != tt.version || lines() != tt.lines {
				t.Errorf("%s (%s) with the processes %q, want %s and %q", s.Version, s.Why, lines(), tt.version,
					tt.lines)
			}
			ids := map[string]bool{}
			for _, f := range log.Since(0) {
				if m := Read(f); f.From == wire.Client && m.IsRequest() {
					if ids[string(m.ID)] {
						t.Errorf("the ID %s is used twice", m.ID)
					}
					ids[string(m.ID)] = true
				}
			}
		})
	}
}

// A process that exits without having read the probe is not started again.
func TestExitBeforeTheProbe(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("whether the probe was read can be seen on Linux only")
	}
	target, lines := countStarts(t, "start\n\texit 3\n")
	target.Command = append(target.Command[:3:3], target.Command[3], "/bin/sh", "-c", "sleep 0.2; exit 3")
	_, err := Connect(t.Context(), target, nil, nil)
	var exit *wire.ExitError
	if !errors.As(err, &exit) || exit.Code != 3 || lines() != "start exit " {
		t.Errorf("%v with the processes %q, want status 3 and one process", err, lines())
	}
}

// A server that never answers costs what the timeout allows, and no more.
func TestSilenceIsNotAddedUp(t *testing.T) {
	for limit, want := range map[time.Duration]time.Duration{
		2 * time.Second:  2 * time.Second,
		60 * time.Second: timeout.Handshake, // it is running already
	} {
		synctest.Test(t, func(t *testing.T) {
			silent := wiretest.New("start\n\tsleep 1ms\n")
			start := time.Now()
			_, err := Connect(context.Background(), wire.Target{Serve: silent.Serve}, nil, &Options{Timeout: limit})
			if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took < want ||
				took > want+10*time.Millisecond {
				t.Errorf("timeout %v: %v after %v, want a timeout after %v", limit, err, took, want)
			}
		})
	}
}

// A process that never answers is ended without the grace that a server has, and the error says what it does.
func TestSilentProcessIsEndedSoon(t *testing.T) {
	argv, env := wiretest.Command("start\n\thang\n")
	over := make(chan error, 1)
	go func() {
		_, err := Connect(context.Background(), wire.Target{Command: argv, Env: env, Grace: time.Hour}, nil,
			&Options{Timeout: 500 * time.Millisecond})
		over <- err
	}()
	select {
	case err := <-over:
		if !errors.Is(err, context.DeadlineExceeded) ||
			!strings.Contains(err.Error(), "no response within 500ms; the process is running") {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("the process is given an hour")
	}
}

// The level of the log is the session's wish; a server that refuses it is still asked for its era.
func TestProbeAsksForNoLog(t *testing.T) {
	script := modernGreeting + "on x\n\tresult {}\n"
	for name, target := range map[string]func(*wiretest.Server) wire.Target{
		"in process": func(s *wiretest.Server) wire.Target { return wire.Target{Serve: s.Serve} },
		"http":       func(s *wiretest.Server) wire.Target { return served(t, s) },
	} {
		server := wiretest.New(script)
		s := connect(t, target(server), Options{LogLevel: "shout"})
		result(t, s, "x", nil)
		if got := server.Got("server/discover"); len(got) == 0 || strings.Contains(got[0], "logLevel") {
			t.Errorf("%s: asked %q", name, got)
		}
		if got := server.Got("x")[0]; !strings.Contains(got, `"io.modelcontextprotocol/logLevel":"shout"`) {
			t.Errorf("%s: sent %s", name, got)
		}
	}
}
