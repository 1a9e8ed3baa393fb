package ops

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/diagnose"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A WhyInput is the input of Why.
type WhyInput struct {
	Name   string `json:"name" cli:"arg" placeholder:"NAME" jsonschema:"the name of a configured server"`
	Client string `json:"client,omitempty" placeholder:"CLIENT" jsonschema:"the client, such as claude-desktop, cursor or codex (default: the one whose config file defines the server)"`
	Config string `json:"config,omitempty" placeholder:"FILE" jsonschema:"read only this config file"`
}

// Why finds out why a configured server does not work in a client. It is for the command line only: it starts what the
// config of the user names.
var Why = workbench.Op[WhyInput, *diagnose.Diagnosis]{
	Name: "why", Section: workbench.Explore, Order: 85, Uses: workbench.Color,
	Doc: "Find out why a server does not work in a client\n\n" +
		"Starts or reaches a configured server as the client would: with its PATH, environment, working directory and\n" +
		"startup limit. The first line of the output is the cause. Evidence, one fix and the steps follow.",
	Help: "Clients: " + strings.Join(diagnose.ClientIDs()[:7], ", ") + ",\n" +
		strings.Join(diagnose.ClientIDs()[7:], ", ") + ".\n\n" +
		"Exits with 1 if the server does not work in the client.",
	Example: "mcptest why files --client claude-desktop",
	Run: func(ctx context.Context, w *workbench.Workbench, in *WhyInput) (*diagnose.Diagnosis, error) {
		if w.Secrets == nil {
			w.Secrets = redact.New()
		}
		d, err := diagnose.Run(ctx, &diagnose.Input{Name: in.Name, Client: in.Client, Config: in.Config,
			System: w.System, Supervisor: w.Supervisor, Version: w.Version, Secrets: w.Secrets})
		if err != nil && ctx.Err() == nil {
			return nil, &workbench.UsageError{Message: "--client: " + err.Error()}
		}
		return d, err
	},
	Text: writeWhy,
}

func writeWhy(out io.Writer, d *diagnose.Diagnosis) error {
	t := workbench.NewText(out)
	if t.Line(report.Visible(d.Summary)); !d.Works {
		for _, line := range d.Evidence {
			t.Line("  " + report.Visible(line))
		}
		if d.Fix != "" {
			t.Line("fix: " + report.Visible(d.Fix))
		}
	}
	t.Line("")
	for _, s := range d.Steps {
		mark := t.Good("✓")
		if !s.OK {
			mark = t.Bad("✗")
		}
		line := mark + " " + s.Name
		if s.Detail != "" && s.OK {
			line += ": " + report.Visible(s.Detail)
		}
		if s.Took >= 100*time.Millisecond {
			line += t.Dim(" (%s)", s.Took.Round(10*time.Millisecond))
		}
		t.Line(line)
	}
	for _, note := range d.Notes {
		t.Line("note: " + report.Visible(note))
	}
	return t.Err
}
