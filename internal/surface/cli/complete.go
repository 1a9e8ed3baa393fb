package cli

import (
	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/demo"
)

// completeTarget offers the servers that can be named: the built-in ones and those of the config files.
func (a *app) completeTarget(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, s := range demo.All() {
		names = append(names, s.Name)
	}
	file, _ := cmd.Flags().GetString("config")
	if catalog, err := config.Load(a.env.System.System, file); err == nil {
		names = append(names, catalog.Names()...)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
