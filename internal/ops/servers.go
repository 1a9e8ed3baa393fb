package ops

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A ServersInput is the input of Servers.
type ServersInput struct {
	Config string `json:"config,omitempty" placeholder:"FILE" jsonschema:"read only this config file"`
}

// A Configured is the servers in local config files.
type Configured struct {
	*config.Catalog
}

// Failed reports whether a file could not be read in full.
func (c *Configured) Failed() bool { return len(c.Problems) > 0 }

// Servers lists the configured servers.
var Servers = workbench.Op[ServersInput, *Configured]{
	Uses: workbench.Color,
	Name: "servers",
	Doc: "List configured servers\n\n" +
		"Lists the servers in the project and in the config files of Claude Code, Claude Desktop, Cursor, VS Code, " +
		"Windsurf, Gemini CLI and Codex. Secrets are not shown.",
	Example: "mcptest servers",
	Run: func(_ context.Context, w *workbench.Workbench, in *ServersInput) (*Configured, error) {
		catalog, err := config.Load(w.System.System, in.Config)
		if err != nil {
			return nil, &workbench.UsageError{Message: err.Error()}
		}
		return &Configured{catalog}, nil
	},
	Text: writeServers,
}

func writeServers(out io.Writer, c *Configured) error {
	t := workbench.NewText(out)
	for _, e := range c.Entries {
		line := t.Bold("%s", e.Name) + "  " + report.Visible(strings.TrimPrefix(e.String(), e.Name+" "))
		if e.Disabled {
			line += "  " + t.Dim("disabled")
		}
		t.Line(line)
		t.Line(t.Dim("    %s:%d", e.File, e.Line))
	}
	for _, p := range c.Problems {
		t.Line(t.Bad("✗ %s", p.Error()))
	}
	if len(c.Entries) == 0 {
		t.Line(fmt.Sprintf("no servers configured; searched %s", workbench.Plural(len(c.Looked), "file")))
		for _, file := range c.Looked {
			t.Line(t.Dim("    %s", file))
		}
	}
	return t.Err
}
