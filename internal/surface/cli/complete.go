package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
)

// A completer is a completion function of cobra.
type completer = func(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective)

// strictCompletion makes the completion command reject unknown shells: a script would otherwise store the help
// text. The output of root is set by then.
func strictCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd("")
	if cmd, _, err := root.Find([]string{"completion"}); err == nil {
		cmd.Short = "Print a completion script for your shell"
		cmd.Args, cmd.RunE = unknownSubcommand, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
}

// completion completes the arguments of a command: those before the target by name, and then the target, which
// may be a file for some commands. The tools of a server are not known here.
func (a *app) completion(fs fields, fileTarget bool) completer {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if dash := cmd.ArgsLenAtDash(); dash >= 0 && dash < len(args) {
			return nil, cobra.ShellCompDirectiveDefault // a command and its files
		}
		before, optional, targets := fs.with("arg"), fs.with("optional"), fs.with("target")
		named := append(before, optional...)
		switch {
		case len(fs.with("rest")) > 0:
			return nil, cobra.ShellCompDirectiveDefault
		case len(args) < len(before) || len(targets) == 0 && len(args) < len(named):
			return engines.Choices(named[len(args)].Name),
				cobra.ShellCompDirectiveNoFileComp
		case len(targets) == 0 || len(args) > len(named):
			return nil, cobra.ShellCompDirectiveNoFileComp
		case fileTarget:
			return a.targets(cmd), cobra.ShellCompDirectiveDefault
		}
		return a.targets(cmd), cobra.ShellCompDirectiveNoFileComp
	}
}

// targets are the available server names: the built-in ones and those of the config files.
func (a *app) targets(cmd *cobra.Command) []string {
	var names []string
	for _, s := range demo.All() {
		names = append(names, s.Name)
	}
	file := ""
	if flag := cmd.Flag("config"); flag != nil {
		file = flag.Value.String()
	}
	if catalog, err := config.Load(a.env.System.System, file); err == nil {
		names = append(names, catalog.Names()...)
	}
	return names
}

// completeFlag completes the values of a flag, if they are known, or directories.
func (f field) completeFlag(cmd *cobra.Command) {
	if f.Placeholder == "DIR" {
		_ = cmd.MarkFlagDirname(f.flag)
		return
	}
	if f.Name == "rules" || f.Name == "skip" {
		_ = cmd.RegisterFlagCompletionFunc(f.flag, listed(func() []string { return engines.RuleNames(cmd.Name()) }))
		return
	}
	if values := engines.Choices(f.Name); values != nil {
		if f.Name == "protocol" && cmd.Name() == engines.Conform.Name {
			values = append(values, "all") // each one that the server supports
		}
		_ = cmd.RegisterFlagCompletionFunc(f.flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
}

// listed completes the last of several comma-separated values, which are computed only for a completion.
func listed(list func() []string) completer {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		values := list()
		before := typed[:strings.LastIndex(typed, ",")+1]
		all := make([]string, len(values))
		for i, value := range values {
			all[i] = before + value
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}
