package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/surface/mcpserver"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// installInto adds the server to a host's config file, after the user has seen the change.
func (s *serving) installInto(ctx context.Context) error {
	if s.listen != "" || s.approve {
		return &workbench.UsageError{Message: "--install requires a server that the host starts",
			Hint: "remove --listen and --approve"}
	}
	change, err := config.Install(s.app.env.System.System, s.install, mcpserver.Key,
		config.Command{Program: s.app.self(), Args: s.arguments()})
	if err != nil {
		return &workbench.UsageError{Message: err.Error()}
	}
	out := s.app.out
	if bytes.Equal(change.Before, change.After) {
		fmt.Fprintf(out, "%s is already configured\n", change.File)
		return nil
	}
	showChange(out, change)
	agreed, err := s.agreed(ctx, "Write this change?")
	if err != nil || !agreed {
		return err
	}
	if err := change.Write(); err != nil {
		return &workbench.UsageError{Message: err.Error()}
	}
	fmt.Fprintf(out, "Updated. Restart %s to load the tools.\n", s.install)
	return nil
}

// arguments returns the arguments with which the host starts this program: the same as here.
func (s *serving) arguments() []string {
	args := []string{"serve"}
	for _, name := range s.names {
		args = append(args, "--agent-may-spawn", name)
	}
	if s.config != "" {
		args = append(args, "--config", s.config)
	}
	if s.allowPrivate {
		args = append(args, "--allow-private")
	}
	for _, given := range s.headerEnv {
		args = append(args, "--header-env", given)
	}
	return args
}

// showChange writes the changed lines, with three lines of context, without secrets.
func showChange(out io.Writer, c *config.Change) {
	before, after := bytes.SplitAfter(c.Before, []byte("\n")), bytes.SplitAfter(c.After, []byte("\n"))
	if c.Created {
		before = nil
		fmt.Fprintf(out, "%s would be created:\n", c.File)
	} else {
		fmt.Fprintf(out, "%s would change:\n", c.File)
	}
	same := 0
	for same < min(len(before), len(after)) && bytes.Equal(before[same], after[same]) {
		same++
	}
	tail := 0
	for tail < min(len(before), len(after))-same && bytes.Equal(before[len(before)-1-tail], after[len(after)-1-tail]) {
		tail++
	}
	const around = 3
	showLines(out, "  ", after[max(0, same-around):same])
	showLines(out, "- ", before[same:len(before)-tail])
	showLines(out, "+ ", after[same:len(after)-tail])
	showLines(out, "  ", after[len(after)-tail:min(len(after), len(after)-tail+around)])
}

func showLines(out io.Writer, mark string, lines [][]byte) {
	for _, line := range lines {
		if len(line) > 0 {
			fmt.Fprintf(out, "%s%s\n", mark, report.Visible(redact.Text(string(bytes.TrimRight(line, "\r\n")))))
		}
	}
}
