// Package ops lists the operations of mcptest.
package ops

import (
	"github.com/mcptest-dev/mcptest/internal/driver"
	"github.com/mcptest-dev/mcptest/internal/gateway"
	"github.com/mcptest-dev/mcptest/internal/ops/changes"
	"github.com/mcptest-dev/mcptest/internal/ops/check"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/ops/hosttools"
	"github.com/mcptest-dev/mcptest/internal/ops/recordings"
	"github.com/mcptest-dev/mcptest/internal/ops/requests"
	"github.com/mcptest-dev/mcptest/internal/ops/signin"
	"github.com/mcptest-dev/mcptest/internal/suiterun"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// All lists every operation. Commands, operations of the page and tools for assistants are created from it: the
// page shows its operations in this order, help in the order that they declare.
func All() []workbench.Operation {
	return []workbench.Operation{
		requests.ToolsList.Operation(),
		requests.ToolsCall.Operation(),
		requests.ResourcesList.Operation(),
		requests.ResourcesRead.Operation(),
		requests.ResourcesTemplates.Operation(),
		requests.PromptsList.Operation(),
		requests.PromptsGet.Operation(),
		requests.SkillsList.Operation(),
		requests.SkillsRead.Operation(),
		requests.Complete.Operation(),
		requests.Raw.Operation(),
		requests.Listen.Operation(),
		engines.SchemaLint.Operation(),
		engines.Conform.Operation(),
		engines.Rules.Operation(),
		engines.Explain.Operation(),
		hosttools.Hosts.Operation(),
		hosttools.HostsRecord.Operation(),
		hosttools.Find.Operation(),
		Servers.Operation(),
		Why.Operation(),
		suiterun.Run.Operation(),
		suiterun.Validate.Operation(),
		suiterun.From.Operation(),
		suiterun.Init.Operation(),
		Schema.Operation(),
		suiterun.Lint.Operation(),
		engines.ReportShow.Operation(),
		engines.ReportMerge.Operation(),
		engines.ReportTrend.Operation(),
		engines.Fuzz.Operation(),
		check.Run.Operation(),
		engines.Load.Operation(),
		engines.Isolate.Operation(),
		engines.Ready.Operation(),
		engines.App.Operation(),
		changes.Diff.Operation(),
		changes.Lock.Operation(),
		changes.Approve.Operation(),
		signin.Auth.Operation(),
		signin.Status.Operation(),
		signin.Logout.Operation(),
		recordings.Tap.Operation(),
		recordings.TapList.Operation(),
		recordings.TapView.Operation(),
		recordings.Mock.Operation(),
		recordings.Replay.Operation(),
		gateway.Serve.Operation(),
		gateway.Login.Operation(),
		driver.Serve.Operation(),
		gateway.CatalogList.Operation(),
		gateway.CatalogSearch.Operation(),
		gateway.CatalogShow.Operation(),
		gateway.CatalogAdd.Operation(),
		gateway.CatalogUpdate.Operation(),
		gateway.CatalogRemove.Operation(),
		gateway.CatalogExport.Operation(),
		gateway.CatalogImport.Operation(),
		gateway.CatalogApprove.Operation(),
	}
}
