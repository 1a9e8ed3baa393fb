package cli

import (
	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// catalogCommands adds the catalog commands.
func (a *app) catalogCommands(root *cobra.Command) {
	bind(a, root, workbench.CatalogList)
	bind(a, root, workbench.CatalogSearch)
	bind(a, root, workbench.CatalogShow)
	bind(a, root, workbench.CatalogAdd)
	bind(a, root, workbench.CatalogUpdate)
	bind(a, root, workbench.CatalogRemove)
	bind(a, root, workbench.CatalogExport)
	bind(a, root, workbench.CatalogImport)
}
