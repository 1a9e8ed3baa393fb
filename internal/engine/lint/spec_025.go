package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec025 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-025",
		Severity: finding.Error,
		Spec:     spec.URL("2025-11-25", "basic/utilities/tasks"),
		Doc: `An execution that says nothing a client knows.

In 2025-11-25 execution.taskSupport is "forbidden", "optional" or "required". A client cannot tell how to call a tool
that says something else.

Use one of the three.`,
	},
	Check: func(p *Pass) {
		value, ok := p.Tool.Get("execution")
		if !ok || !p.Revision.Tool.Execution {
			return
		}
		if schema.Kind(value) != '{' {
			p.Report("/execution", "execution is %s; want an object", kindName(value))
			return
		}
		support, ok := schema.Get(value, "/taskSupport")
		if name, _ := schema.Text(support); ok && name != "forbidden" && name != "optional" && name != "required" {
			p.Report("/execution/taskSupport", "taskSupport is %s; want forbidden, optional or required", brief(string(support)))
		}
	},
}
