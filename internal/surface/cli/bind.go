package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// bind creates a command from an operation. The fields of its input are the flags and arguments.
func bind[In, Out any](a *app, root *cobra.Command, op workbench.Op[In, Out]) {
	in := new(In)
	fields := fieldsOf(in, op.Omit...)
	uses := op.Uses
	if _, silent := any(*new(Out)).(struct{}); op.Text != nil && uses&workbench.IsJSON == 0 && !silent {
		uses |= printsJSON
	}
	title, rest, _ := strings.Cut(op.Doc, "\n")
	long := strings.TrimSpace(strings.TrimSpace(title+".\n"+rest) + "\n\n" + op.Help)
	cmd := &cobra.Command{
		Use: usage(op.Name, fields), Short: title, Long: long,
		Example: indent(op.Example), Annotations: fields.explained(),
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: a.completion(fields),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := fields.positional(args, cmd.ArgsLenAtDash())
			if err == nil {
				err = fields.given(cmd.Flags())
			}
			if err != nil {
				err.Hint += hint.Text("run: " + cmd.CommandPath() + " --help")
				return err
			}
			return run(cmd.Context(), a, op, in)
		},
	}
	for _, f := range fields.flags() {
		f.register(cmd.Flags())
		f.completeFlag(cmd)
	}
	parentOf(root, op.Name).AddCommand(using(cmd, uses))
}

// run runs an operation, shows its result, and only then stops what was started for it.
func run[In, Out any](ctx context.Context, a *app, op workbench.Op[In, Out], in *In) (err error) {
	w, done, err := a.workbench()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close(), done()) }()
	a.started = true
	out, err := op.Run(ctx, w, in)
	if err != nil {
		return err
	}
	a.progress.clear()
	if i, ok := any(out).(workbench.Incompleted); ok && i.Incomplete() {
		a.status = exitIncomplete
	}
	if v, ok := any(out).(workbench.Verdict); ok && v.Failed() {
		a.status = exitFailed
	}
	if r, ok := any(out).(workbench.Reached); ok && r.Unreached() {
		a.status = exitTarget
	}
	if i, ok := any(out).(workbench.Interrupted); ok && i.Interrupted() {
		a.status = exitStopped
	}
	defer a.advise(out)
	if a.view.json || op.Text == nil {
		a.remark(out)
		err = writeJSON(a.out, out)
	} else {
		err = op.Text(a.screen(), out)
	}
	if f, ok := any(out).(workbench.Failing); ok && err == nil {
		err = f.Failure()
	}
	return err
}

// advise prints the suggested next step to stderr, below the result.
func (a *app) advise(out any) {
	if r, ok := out.(workbench.Advising); ok && r.Advice() != "" {
		fmt.Fprintf(a.note(), "hint: %s\n", report.Visible(a.scrub(r.Advice())))
	}
}

// remark prints to stderr what the JSON of a result does not contain.
func (a *app) remark(out any) {
	if r, ok := out.(workbench.Remarks); ok {
		for _, line := range r.Remarks() {
			fmt.Fprintln(a.note(), report.Visible(a.scrub(line)))
		}
	}
}

// writeJSON writes a server's own JSON unchanged, and anything else as our JSON. It writes nothing for an empty
// one.
func writeJSON(w io.Writer, out any) error {
	if raw, ok := out.(workbench.RawJSON); ok {
		text := raw.RawJSON()
		if len(text) == 0 {
			return nil
		}
		_, err := w.Write(append(slices.Clip(text), '\n'))
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// parentOf finds or creates the command that groups others: "tools" of "tools list".
func parentOf(root *cobra.Command, name string) *cobra.Command {
	group, _, nested := strings.Cut(name, " ")
	if !nested {
		return root
	}
	for _, c := range root.Commands() {
		if c.Name() == group {
			return c
		}
	}
	c := &cobra.Command{Use: group, Short: groupDoc[group], Args: unknownSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	root.AddCommand(c)
	return c
}

var groupDoc = map[string]string{
	"tools":     "List and call a server's tools",
	"resources": "List and read a server's resources",
	"prompts":   "List and get a server's prompts",
	"catalog":   "Manage a tool catalog",
	"suite":     "Validate and list test suites without running them",
	"schema":    "Print the JSON Schema of a file format",
}

// unknownSubcommand rejects unknown commands of a group.
func unknownSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return &workbench.UsageError{Message: fmt.Sprintf("%s: unknown command %q", cmd.CommandPath(), args[0]),
		Hint: hint.Text("use one of: " + strings.Join(names, ", "))}
}
