package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var openaiStrictRootObject = &Rule{
	Rule: finding.Rule{
		ID:       "openai-strict/root-object",
		Severity: finding.Error,
		Spec:     "https://platform.openai.com/docs/guides/structured-outputs",
		Doc: `root is not of type object

In strict mode the root of the parameters must have "type": "object". The API rejects the request with all its tools.

Add "type": "object".`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		if root := p.root(); root != nil {
			if kind, _ := root.Text("type"); kind != "object" {
				p.Report("/inputSchema", "the root is not of type object: the request is rejected")
			}
		}
	},
}
