package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task029 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-029",
		Severity: finding.Warning,
		Spec:     tasksSpec,
		Doc: `requests about a task should be rejected if Mcp-Name is not its ID

The header repeats the task ID, so that a proxy can pass the request to the process that has the task. A server that
does not compare the two answers for a task that the proxy did not see. As for other named requests, the response is
HTTP 400 and error -32020.`,
	},
	Since: spec.July2026,
	Needs: tasksExtension,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		_, id, err := p.knownTask(ctx)
		if err != nil {
			return err
		}
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		meta := mcp.Object("io.modelcontextprotocol/protocolVersion", p.Revision.ID,
			"io.modelcontextprotocol/clientInfo", mcp.Object("name", "mcptest", "version", "1"),
			"io.modelcontextprotocol/clientCapabilities",
			mcp.Object("extensions", mcp.Object(mcp.TasksExtension, mcp.Object())))
		body := `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"_meta":` + string(meta) + `,"taskId":` + id + `}}`
		a, err := v.Post(ctx, http.Header{"Mcp-Name": {"mcptest-another"}}, body)
		return p.mismatched(a, err, "Mcp-Name")
	},
}
