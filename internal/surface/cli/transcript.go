package cli

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// transcriptCommand shows a file that --transcript kept.
func (a *app) transcriptCommand() *cobra.Command {
	return &cobra.Command{
		Use: "transcript FILE", Short: "Show a transcript that --transcript kept", Args: oneFile,
		Example:     indent("mcptest transcript frames.jsonl"),
		Annotations: map[string]string{argumentsNote: "FILE\tthe file that --transcript wrote"},
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
				return &workbench.UsageError{Message: args[0] + ": " + err.Error(), Hint: "a transcript is a file that --transcript wrote: one JSON object a line"}
			}
			return nil
		},
	}
}

// oneFile wants one argument.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return &workbench.UsageError{Message: "FILE is missing (the file that --transcript wrote)", Hint: cmd.CommandPath() + " --help shows how"}
	}
	return noArguments(cmd, args[1:])
}
