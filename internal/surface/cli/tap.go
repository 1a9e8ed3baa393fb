package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/har"
	"github.com/mcptest-dev/mcptest/internal/ops/recordings"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// tapCommands adds the commands below tap that are not operations.
func (a *app) tapCommands(parent *cobra.Command) {
	parent.AddCommand(a.tapExportCommand())
	parent.AddCommand(a.tapInstallCommands()...)
}

// tapExportCommand writes a recording in the format of other programs.
func (a *app) tapExportCommand() *cobra.Command {
	var format, out string
	cmd := &cobra.Command{
		Use: "export [SESSION]", Short: "Write a recorded session as a transcript or an HTTP archive",
		Args: cobra.MaximumNArgs(1),
		Long: "Write a recorded session as a transcript or an HTTP archive.\n\n" +
			"A transcript (jsonl) can be opened with \"mcptest transcript\" and with the page of \"mcptest inspect\".",
		Example: indent("mcptest tap export --out session.jsonl"),
		Annotations: map[string]string{argumentsNote: "" +
			"SESSION\tID of the session, its unique beginning or end, or its name (default: the latest)"},
		RunE: func(cmd *cobra.Command, args []string) error {
			a.started = true
			w := &workbench.Workbench{System: a.env.System}
			s, err := recordings.TapSession(w, append(args, "")[0])
			if err != nil {
				return err
			}
			content, err := a.exported(cmd.Context(), s, format)
			if err != nil {
				return err
			}
			if out == "" {
				_, err = a.out.Write(content)
				return err
			}
			if err := os.WriteFile(out, content, 0o600); err != nil {
				return &workbench.UsageError{Message: "--out: " + err.Error()}
			}
			fmt.Fprintf(a.note(), "wrote %s\n", out)
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "jsonl", "`FORMAT` of the file: jsonl or har")
	cmd.Flags().StringVar(&out, "out", "", "write to `FILE` instead of stdout")
	return using(cmd, 0)
}

// exported returns a recording in a format.
func (a *app) exported(ctx context.Context, s *tap.Session, format string) ([]byte, error) {
	var frames []wire.Frame
	err := tap.Frames(ctx, recordings.TapDir(a.env.System), s, false, func(f wire.Frame) error {
		frames = append(frames, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	switch format {
	case "jsonl":
		var out bytes.Buffer
		err := wire.WriteTranscript(&out, frames, nil)
		return out.Bytes(), err
	case "har":
		return har.Archive(frames, s.URL, Version())
	}
	return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for --format", format),
		Hint: "use jsonl or har"}
}
