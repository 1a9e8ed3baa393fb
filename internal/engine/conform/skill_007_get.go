package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill007 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-007",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `skills/get must return the same entry as skills/list

A host calls skills/get to refresh one skill, and to learn whether a URI is a skill at all. An unknown URI must fail
with -32602. From 2026-07-28 on, both results have resultType, ttlMs and cacheScope.

Build both results from the same data, and reject unknown URIs.`,
	},
	Since: spec.November2025,
	Needs: skillsCapability,
	Run: func(ctx context.Context, p *CheckContext) error {
		unknown, err := p.tryCall(ctx, "skills/get", mcp.Object("uri", unknownSkill))
		if err != nil {
			return err
		}
		if unknown != nil && (unknown.Reply.Error == nil || unknown.Reply.Error.Code != mcp.CodeMethodNotFound) {
			p.expectCode(unknown, "unknown skill", mcp.CodeInvalidParams)
		}
		list, err := p.Skills(ctx)
		if err != nil {
			return err
		}
		p.cacheable(list.Pages[0], p.Report)
		for _, item := range list.Items[:min(len(list.Items), maxSkills)] {
			if item.Name == "" {
				continue
			}
			ex, err := p.Call(ctx, "skills/get", mcp.Object("uri", item.Name))
			if err != nil {
				return err
			}
			at := Evidence{Subject: item.Name, Exchange: ex, Pointer: "/skill"}
			if refusal := ex.Reply.Error; refusal != nil {
				if refusal.Code != mcp.CodeMethodNotFound {
					p.Report(at, "skills/get of a listed skill failed with error %d: %s, expected its entry", refusal.Code,
						errorLine(refusal))
				}
				return nil
			}
			if !sameEntry(At(ex.Reply.Result, "/skill"), item.Raw) {
				p.Report(at, "skill is %s, expected the entry of skills/list", show(At(ex.Reply.Result, "/skill")))
			}
			p.cacheable(ex, p.Warn) // the SDK sends them only with the list
		}
		return nil
	},
}

// cacheable expects the members of a result that may be cached, in revisions that have them.
func (p *CheckContext) cacheable(ex *mcp.Exchange, report func(s Evidence, format string, args ...any)) {
	if !p.Modern() || ex.Reply.Error != nil {
		return
	}
	at := func(name string) Evidence { return Evidence{Exchange: ex, Pointer: "/" + name} }
	if raw := At(ex.Reply.Result, "/resultType"); string(raw) != `"complete"` {
		report(at("resultType"), "resultType is %s, expected \"complete\"", show(raw))
	}
	if raw := At(ex.Reply.Result, "/ttlMs"); schema.Kind(raw) != '0' {
		report(at("ttlMs"), "ttlMs is %s, expected a number", show(raw))
	}
	if raw := At(ex.Reply.Result, "/cacheScope"); string(raw) != `"public"` && string(raw) != `"private"` {
		report(at("cacheScope"), "cacheScope is %s, expected \"public\" or \"private\"", show(raw))
	}
}
