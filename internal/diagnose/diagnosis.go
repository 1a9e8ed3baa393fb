package diagnose

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// A Diagnosis is the result: the steps, and the cause if one failed.
type Diagnosis struct {
	Server   string   `json:"server"`
	Client   Client   `json:"client"`
	File     string   `json:"file,omitempty"` // that defines the server
	Works    bool     `json:"works"`
	Summary  string   `json:"summary"`
	Cause    string   `json:"cause,omitempty"`
	Evidence []string `json:"evidence,omitempty"`
	Fix      string   `json:"fix,omitempty"`
	Steps    []Step   `json:"steps"`
	Notes    []string `json:"notes,omitempty"` // what does not prevent the client from using the server
}

// A Step is one step on the way to a server that works.
type Step struct {
	Name   string        `json:"name"`
	OK     bool          `json:"ok"`
	Detail string        `json:"detail,omitempty"`
	Took   time.Duration `json:"took_ns,omitempty"`
}

// Input is what to diagnose.
type Input struct {
	Name       string
	Client     string // the ID of a client; empty for the one whose file defines the server
	Config     string // the only config file to read; empty for those of the clients
	System     target.System
	Supervisor []string
	Version    string          // of mcptest
	Secrets    *redact.Secrets // collects the secrets of the server; not nil
}

// A problem is why a step failed.
type problem struct {
	cause    string
	evidence []string
	fix      string
	unproven bool // other clients fail because of it; this one was not measured
}

// Error returns the cause.
func (p *problem) Error() string { return p.cause }

// because returns a problem.
func because(fix, format string, args ...any) *problem {
	return &problem{cause: fmt.Sprintf(format, args...), fix: fix}
}

// with adds evidence.
func (p *problem) with(lines ...string) *problem {
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			p.evidence = append(p.evidence, line)
		}
	}
	return p
}

// A walk is a diagnosis in progress.
type walk struct {
	in     *Input
	out    *Diagnosis
	sys    target.System // as the client sees it
	entry  config.Entry
	target wire.Target
	log    *wire.Transcript
}

// Run diagnoses a server. An error means that there is no such client.
func Run(ctx context.Context, in *Input) (*Diagnosis, error) {
	w := &walk{in: in, out: &Diagnosis{Server: in.Name, Client: anyClient, Steps: []Step{}}}
	if in.Client != "" {
		client, known := FindClient(in.Client)
		if !known {
			return nil, fmt.Errorf("unknown client %q, expected one of: %s", in.Client, strings.Join(ClientIDs(), ", "))
		}
		w.out.Client = client
	}
	failed := w.steps(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.conclude(failed)
	return w.out, nil
}

// steps runs the steps until one fails.
func (w *walk) steps(ctx context.Context) *problem {
	for _, s := range []struct {
		name string
		run  func(context.Context) (string, *problem)
	}{{"config", w.config}, {"variables", w.variables}} {
		if failed := w.step(ctx, s.name, s.run); failed != nil {
			return failed
		}
	}
	if w.target.URL != "" {
		return w.remote(ctx)
	}
	return w.local(ctx)
}

// step runs one step.
func (w *walk) step(ctx context.Context, name string, run func(context.Context) (string, *problem)) *problem {
	start := time.Now()
	detail, failed := run(ctx)
	if failed != nil {
		detail = failed.cause
	}
	s := Step{Name: name, OK: failed == nil, Detail: w.clean(detail), Took: time.Since(start)}
	w.out.Steps = append(w.out.Steps, s)
	return failed
}

// conclude writes the summary.
func (w *walk) conclude(failed *problem) {
	d := w.out
	if failed == nil {
		d.Works = true
		d.Summary = fmt.Sprintf("%s works in %s", d.Server, d.Client.Name)
		if last := d.Steps[len(d.Steps)-1]; last.Detail != "" {
			d.Summary += ": " + last.Detail
		}
		return
	}
	d.Cause, d.Fix = w.clean(failed.cause), w.clean(failed.fix)
	for _, line := range failed.evidence {
		d.Evidence = append(d.Evidence, w.clean(line))
	}
	verb := "does not"
	if failed.unproven {
		verb = "may not"
	}
	d.Summary = fmt.Sprintf("%s %s work in %s: %s", d.Server, verb, d.Client.Name, d.Cause)
}

// clean removes secrets.
func (w *walk) clean(text string) string { return w.in.Secrets.Text(text) }

// Failed reports whether the server does not work.
func (d *Diagnosis) Failed() bool { return !d.Works }
