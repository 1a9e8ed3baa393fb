package lint

import (
	"encoding/json"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var copilotDraft07 = &Rule{
	Rule: finding.Rule{
		ID:       "copilot/draft07",
		Severity: finding.Error,
		Spec:     "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts",
		Doc: `schema is not valid draft-07

VS Code validates every schema as draft-07, regardless of $schema, and throws if it is invalid.

Use only keywords that draft-07 and 2020-12 share.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		if p.root() == nil || plain(p.Tool.Input) {
			return
		}
		if problem := problemInDraft07(p); problem != nil && problem.Kind == schema.Invalid {
			for _, v := range withoutAdvisory(problem.Violations) {
				p.Report("/inputSchema"+v.Path, "not valid draft-07: %s", v.Message)
			}
		}
	},
}

// problemInDraft07 returns why the schema cannot be compiled as draft-07; nil if it can.
func problemInDraft07(p *Pass) (problem *schema.CompileError) {
	if dialect, _ := p.root().Text("$schema"); dialect == spec.Draft07 {
		return p.Tool.Input.problem(p.Revision) // that is the same, and SPEC-009 needs it, too
	}
	_, err := schema.Compile(withoutDialect(p.Tool.Input), &schema.Options{Dialect: spec.Draft07})
	errors.As(err, &problem)
	return problem
}

// withoutDialect is the schema without its $schema.
func withoutDialect(doc *Document) json.RawMessage {
	if !doc.Root().Has("$schema") {
		return doc.Raw
	}
	raw, err := schema.Apply(doc.Raw, []finding.Edit{{Pointer: "/$schema"}})
	if err != nil {
		return doc.Raw
	}
	return raw
}
