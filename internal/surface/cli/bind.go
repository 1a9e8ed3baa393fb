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
	"github.com/mcptest-dev/mcptest/internal/typo"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// bind creates a command from an operation. The fields of its input are the flags and arguments.
func (a *app) bind(root *cobra.Command, op workbench.Operation) {
	if !a.names(op.Name) {
		title, _, _ := strings.Cut(op.Doc, "\n")
		parentOf(root, op).AddCommand(inSection(nameOnly(op.Name, title), op.Section, op.Order))
		return
	}
	in := op.NewInput()
	fields := fieldsOf(in, op.Omit...)
	uses := op.Uses
	if op.Text != nil && uses&workbench.IsJSON == 0 && !op.Silent {
		uses |= printsJSON
	}
	title, rest, _ := strings.Cut(op.Doc, "\n")
	long := strings.TrimSpace(strings.TrimSpace(title+".\n"+rest) + "\n\n" + op.Help)
	cmd := &cobra.Command{
		Use: usage(op.Name, fields), Short: title, Long: long,
		Example: indent(op.Example), Annotations: fields.explained(),
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: a.completion(fields, op.FileTarget),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.command = cmd
			err := fields.positional(args, cmd.ArgsLenAtDash())
			if err == nil {
				err = fields.given(cmd.Flags())
			}
			if err != nil {
				err.Hint += hint.Text("run: " + cmd.CommandPath() + " --help")
				return err
			}
			return a.swapped(cmd, fields, a.runOperation(cmd.Context(), op, in))
		},
	}
	for _, f := range fields.flags() {
		f.register(cmd.Flags())
		f.completeFlag(cmd)
	}
	inSection(cmd, op.Section, op.Order)
	parentOf(root, op).AddCommand(using(cmd, uses))
}

// names reports whether the arguments name a command. No other one can run, or show its help: to create their flags
// would cost more than the rest of the start.
func (a *app) names(command string) bool {
	for word := range strings.FieldsSeq(command) {
		if !a.all && !slices.Contains(a.env.Args, word) {
			return false
		}
	}
	return true
}

// nameOnly returns a command as a list of commands shows it.
func nameOnly(name, title string) *cobra.Command {
	return &cobra.Command{Use: name[strings.LastIndexByte(name, ' ')+1:], Short: title,
		Run: func(cmd *cobra.Command, _ []string) { panic(cmd.CommandPath() + " was run without its name") }}
}

// runOperation runs an operation, shows its result, and only then stops what was started for it.
func (a *app) runOperation(ctx context.Context, op workbench.Operation, in any) (err error) {
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
	if i, ok := out.(workbench.Incompleted); ok && i.Incomplete() {
		a.status = exitIncomplete
	}
	if v, ok := out.(workbench.Verdict); ok && v.Failed() {
		a.status = exitFailed
	}
	if r, ok := out.(workbench.Reached); ok && r.Unreached() {
		a.status = exitTarget
	}
	if i, ok := out.(workbench.Interrupted); ok && i.Interrupted() {
		a.status = exitStopped
	}
	defer a.printHint(out)
	if a.view.json || op.Text == nil {
		a.printNote(out)
		err = writeJSON(a.out, out)
	} else {
		err = op.Text(a.screen(), out)
	}
	if f, ok := out.(workbench.Failing); ok && err == nil {
		err = f.Failure()
	}
	return err
}

// printHint prints the suggested next step to stderr, below the result.
func (a *app) printHint(out any) {
	if r, ok := out.(workbench.Advising); ok && r.Advice() != "" {
		a.sayHint(report.Visible(a.scrub(r.Advice())))
	}
}

// printNote prints to stderr what the JSON of a result does not contain.
func (a *app) printNote(out any) {
	if r, ok := out.(workbench.Remarks); ok {
		for _, line := range r.Remarks() {
			a.say(report.Visible(a.scrub(line)))
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

// parentOf returns the command above that of an operation: "tools" of "tools list". It creates one that only groups
// others.
func parentOf(root *cobra.Command, op workbench.Operation) *cobra.Command {
	name, _, nested := strings.Cut(op.Name, " ")
	if !nested {
		return root
	}
	if c := child(root, name); c != nil {
		return c
	}
	c := &cobra.Command{Use: op.Parent.Name, Short: op.Parent.Doc, Args: unknownSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	root.AddCommand(inSection(c, op.Parent.Section, op.Parent.Order))
	return c
}

// child returns the command of a name below another one, or nil.
func child(parent *cobra.Command, name string) *cobra.Command {
	for _, c := range parent.Commands() {
		if c.Name() == name {
			return c
		}
	}
	return nil
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
	advice := "use one of: " + strings.Join(names, ", ")
	if near := typo.Nearest(args[0], names); len(near) > 0 {
		advice = "did you mean " + strings.Join(near, " or ") + "? " + advice
	}
	return &workbench.UsageError{Message: fmt.Sprintf("unknown command %q of %s", args[0], cmd.Name()),
		Hint: hint.Text(advice)}
}
