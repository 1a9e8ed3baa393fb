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
		Spec:     spec.URL(spec.November2025, "basic/utilities/tasks"),
		Doc: `invalid execution.taskSupport

In 2025-11-25 execution.taskSupport is "forbidden", "optional" or "required". With any other value, a client cannot
determine how to call the tool.

Use one of these values.`,
	},
	Check: func(p *Pass) {
		value, ok := p.Tool.Get("execution")
		if !ok || !p.Revision.Tool.Execution {
			return
		}
		if schema.Kind(value) != '{' {
			p.Report("/execution", "execution is %s, expected an object", kindName(value))
			return
		}
		support, ok := schema.Get(value, "/taskSupport")
		if name, _ := schema.Text(support); ok && name != "forbidden" && name != "optional" && name != "required" {
			p.Report("/execution/taskSupport", "taskSupport is %s, expected forbidden, optional or required",
				brief(string(support)))
		}
	},
}
