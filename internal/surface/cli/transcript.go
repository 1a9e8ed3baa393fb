package cli

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// transcriptCommand shows a file written by --transcript.
func (a *app) transcriptCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "transcript FILE", Short: "Show a transcript recorded with --transcript", Args: oneFile,
		Example:     indent("mcptest transcript frames.jsonl"),
		Annotations: map[string]string{argumentsNote: "FILE\tfile written by --transcript"},
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := os.Open(args[0])
			if err != nil {
				return &workbench.UsageError{Message: err.Error()}
			}
			defer file.Close()
			t := a.newTracer()
			t.w, t.color = a.out, a.env.colorful(a.env.Stdout) && !a.view.noColor
			var in io.Reader = file
			if a.view.json {
				in, t.w = io.TeeReader(file, a.out), io.Discard
			}
			err = wire.ReadTranscript(in, func(f wire.Frame) error { t.frame(f); return nil })
			if err != nil && a.out.failure() == nil {
				return &workbench.UsageError{Message: args[0] + ": " + err.Error(),
					Hint: "use a file written by --transcript, with one JSON object per line"}
			}
			return nil
		},
	}
	return using(cmd, printsJSON|showsFrames)
}

// oneFile requires one argument.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return &workbench.UsageError{Message: "missing FILE (a file written by --transcript)",
			Hint: hint.Text(cmd.CommandPath() + " --help shows the usage")}
	}
	return noArguments(cmd, args[1:])
}
