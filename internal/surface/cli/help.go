package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// help wraps the help of every command at the width of the terminal; elsewhere lines are not wrapped.
func (a *app) help(root *cobra.Command) {
	columns := a.env.columns(a.env.Stdout)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		long := strings.TrimSpace(cmd.Long)
		if long == "" {
			long = cmd.Short + "."
		}
		if columns > 0 {
			long = foldItems(report.Wrap(long, columns), columns)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n", long)
		writeUsage(cmd.OutOrStdout(), cmd, columns)
	})
	root.SetUsageFunc(func(cmd *cobra.Command) error { writeUsage(cmd.OutOrStderr(), cmd, columns); return nil })
}

// foldItems folds indented lines that are longer than the terminal is wide, except those with columns of their own.
func foldItems(text string, columns int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		item, indented := strings.CutPrefix(line, "  ")
		if indented && len(line) > columns && !strings.Contains(item, "  ") {
			lines[i] = report.Fill("  ", "    ", item, columns)
		}
	}
	return strings.Join(lines, "\n")
}

// writeUsage writes the usage of a command: its forms, arguments, examples, commands and flags.
func writeUsage(w io.Writer, cmd *cobra.Command, columns int) {
	lines := []string{"Usage:"}
	if !cmd.HasAvailableSubCommands() || strings.Contains(cmd.Use, " ") { // it does something itself
		lines = append(lines, "  "+cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		lines = append(lines, "  "+cmd.CommandPath()+" COMMAND")
	}
	lines = append(lines, argumentList(cmd, columns)...)
	if cmd.HasExample() {
		lines = append(lines, "", "Examples:", cmd.Example)
	}
	lines = append(lines, commandList(cmd, columns)...)
	own, shared := cmd.LocalFlags(), "Global flags:"
	inherited := cmd.InheritedFlags()
	if !cmd.HasParent() {
		own, inherited, shared = cmd.LocalNonPersistentFlags(), cmd.PersistentFlags(), "Flags of several commands:"
	}
	if own.HasAvailableFlags() {
		lines = append(lines, "", "Flags:", strings.TrimRight(own.FlagUsagesWrapped(columns), "\n"))
	}
	if inherited.HasAvailableFlags() {
		lines = append(lines, "", shared, strings.TrimRight(inherited.FlagUsagesWrapped(columns), "\n"))
	}
	if cmd.HasAvailableSubCommands() {
		lines = append(lines, "", "Run \""+cmd.CommandPath()+" COMMAND --help\" for details.")
	}
	fmt.Fprintln(w, strings.Join(lines, "\n"))
}

// argumentList returns the lines that describe the arguments of a command.
func argumentList(cmd *cobra.Command, columns int) []string {
	if ArgumentsOf(cmd) == "" {
		return nil
	}
	var rows [][2]string
	for line := range strings.SplitSeq(ArgumentsOf(cmd), "\n") {
		name, meaning, _ := strings.Cut(line, "\t")
		rows = append(rows, [2]string{name, meaning})
	}
	return append([]string{"", "Arguments:"}, table(rows, columns)...)
}

// commandList returns the lines that describe the subcommands, by group.
func commandList(cmd *cobra.Command, columns int) []string {
	if !cmd.HasAvailableSubCommands() {
		return nil
	}
	all := slices.Clone(cmd.Commands())
	slices.SortStableFunc(all, func(a, b *cobra.Command) int { return position(a) - position(b) })
	in := map[string][][2]string{}
	for _, c := range all {
		if c.IsAvailableCommand() || c.Name() == "help" {
			in[c.GroupID] = append(in[c.GroupID], [2]string{c.Name(), c.Short})
		}
	}
	var lines []string
	for _, g := range cmd.Groups() {
		lines = append(append(lines, "", g.Title), table(in[g.ID], columns)...)
	}
	title := "Commands:"
	if len(lines) > 0 {
		title = "Other commands:"
	}
	return append(append(lines, "", title), table(in[""], columns)...)
}

// table formats names and descriptions in two columns.
func table(rows [][2]string, columns int) []string {
	width := 11
	for _, row := range rows {
		width = max(width, len(row[0]))
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		head := fmt.Sprintf("  %-*s  ", width, row[0])
		lines[i] = head + row[1]
		if columns > 0 {
			lines[i] = report.Fill(head, strings.Repeat(" ", width+4), row[1], columns)
		}
	}
	return lines
}

// orderNote is the annotation for the position of a command in its section.
const orderNote = "mcptest.dev/order"

// inSection makes help list a command of root in a section.
func inSection(cmd *cobra.Command, section workbench.Section, order int) *cobra.Command {
	cmd.GroupID = string(section)
	return annotate(cmd, orderNote, strconv.Itoa(order))
}

// position returns the position of a command in its section.
func position(cmd *cobra.Command) int {
	order, _ := strconv.Atoi(cmd.Annotations[orderNote])
	return order
}

// strictHelp makes the help command reject unknown commands: a script would mistake the general help for that
// of one command.
func strictHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		return
	}
	help.Short = "Show the help of a command"
	help.Run, help.RunE = nil, func(_ *cobra.Command, args []string) error {
		about, rest, err := root.Find(args)
		if err == nil && len(rest) == 0 {
			about.InitDefaultHelpFlag()
			return about.Help()
		}
		unknown := fmt.Errorf("unknown command %q", strings.Join(args, " "))
		advice := about.CommandPath() + " --help lists the commands"
		if slices.Contains(engines.Choices("rule"), args[0]) {
			advice = "mcptest explain " + args[0]
		}
		return &workbench.UsageError{Message: unknown.Error(), Hint: hint.Text(didYouMean(about, unknown) + advice)}
	}
}
