package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A viewOptions holds the output options.
type viewOptions struct {
	json       bool
	trace      bool
	transcript string
	noRedact   bool
	answer     string
	noColor    bool
}

// What a command does, besides what operations declare.
const (
	printsJSON  workbench.Uses = 1 << 7 // it can print its result as JSON instead of text
	showsFrames workbench.Uses = 1 << 6 // it prints frames from a file
)

// A viewFlag is an option of every command on which it has an effect. The others reject it, and do not list it.
type viewFlag struct {
	name string
	uses workbench.Uses // it has an effect on commands that do one of these
	of   string         // what those commands do
	add  func(*pflag.FlagSet, *viewOptions)
}

var viewFlags = []viewFlag{
	{"json", printsJSON, "print a result as text", func(f *pflag.FlagSet, v *viewOptions) {
		f.BoolVar(&v.json, "json", false, "print JSON; server responses are passed through unchanged")
	}},
	{"trace", workbench.Frames, "exchange messages with a server", func(f *pflag.FlagSet, v *viewOptions) {
		f.BoolVar(&v.trace, "trace", false, "log every frame to stderr with direction and timestamp, including the "+
			"server's stderr")
	}},
	{"transcript", workbench.Frames, "exchange messages with a server", func(f *pflag.FlagSet, v *viewOptions) {
		f.StringVar(&v.transcript, "transcript", "", "write every frame to `FILE` as JSON Lines")
	}},
	{"no-redact", workbench.Frames | workbench.Records | showsFrames, "show messages of a server",
		func(f *pflag.FlagSet, v *viewOptions) {
			f.BoolVar(&v.noRedact, "no-redact", false, "do not redact secrets in traces, transcripts and recordings")
		}},
	{"answer", workbench.Requests, "answer requests from a server", func(f *pflag.FlagSet, v *viewOptions) {
		f.StringVar(&v.answer, "answer", "", "answer elicitation, sampling and roots requests from this JSON `FILE`")
	}},
	{"no-color", workbench.Color | workbench.Frames | showsFrames, "print color",
		func(f *pflag.FlagSet, v *viewOptions) {
			f.BoolVar(&v.noColor, "no-color", false, "disable color output")
		}},
}

// usesNote is the annotation for what a command does; see viewFlag.
const usesNote = "mcptest.dev/uses"

// using annotates a command with what it does.
func using(cmd *cobra.Command, uses workbench.Uses) *cobra.Command {
	return annotate(cmd, usesNote, strconv.Itoa(int(uses)))
}

// annotate sets an annotation of a command.
func annotate(cmd *cobra.Command, note, value string) *cobra.Command {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[note] = value
	return cmd
}

// uses returns what the command of this run does.
func (a *app) uses() workbench.Uses {
	if a.command == nil {
		return 0
	}
	uses, _ := strconv.Atoi(a.command.Annotations[usesNote])
	return workbench.Uses(uses)
}

// refuseViewFlags hides the view flags that have no effect on a command, and makes it reject them.
func (a *app) refuseViewFlags(root *cobra.Command) {
	flags := root.Root().PersistentFlags()
	for _, cmd := range root.Commands() {
		if !a.names(cmd.Name()) {
			continue
		}
		uses, _ := strconv.Atoi(cmd.Annotations[usesNote])
		for _, f := range viewFlags {
			if f.uses&workbench.Uses(uses) != 0 {
				continue
			}
			like := flags.Lookup(f.name)
			cmd.Flags().AddFlag(&pflag.Flag{Name: f.name, Hidden: true, NoOptDefVal: like.NoOptDefVal,
				Value: refusedValue{like.Value.Type(), refusedFlag{f, cmd.CommandPath()}}})
		}
		a.refuseViewFlags(cmd)
	}
}

// A refusedFlag is the error of a flag that has no effect on a command.
type refusedFlag struct {
	flag    viewFlag
	command string
}

// Error returns which flag has no effect where.
func (e refusedFlag) Error() string {
	return fmt.Sprintf("--%s has no effect on %s", e.flag.name, e.command)
}

// hint returns what to do instead.
func (e refusedFlag) hint() string {
	return fmt.Sprintf("remove --%s: it is for commands that %s; ", e.flag.name, e.flag.of)
}

// A refusedValue is the value of a refused flag.
type refusedValue struct {
	kind string
	err  refusedFlag
}

func (v refusedValue) String() string   { return "" }
func (v refusedValue) Set(string) error { return v.err }
func (v refusedValue) Type() string     { return v.kind }

// refusedHint returns the hint for a flag that a command rejects; empty for other errors.
func refusedHint(err error) string {
	var refused refusedFlag
	if errors.As(err, &refused) {
		return refused.hint()
	}
	return ""
}
