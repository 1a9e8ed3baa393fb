package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill008 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-008",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `resources/directory/read must list the direct children of a directory

A skill refers to a directory, and the model asks what is in it. The result has files with their type and directories as
inode/directory, not the content of directories below. A file or an unknown URI must fail with -32602.

List the direct children only, with the mimeType inode/directory for directories, or do not declare directoryRead.`,
	},
	Since: spec.November2025,
	Needs: skillsCapability,
	Run: func(ctx context.Context, p *CheckContext) error {
		if string(At(p.round.sessions.caps, "/"+skillsCapability+"/directoryRead")) != "true" {
			return p.Skip("server does not declare directoryRead")
		}
		list, err := p.Skills(ctx)
		if err != nil {
			return err
		}
		wrong := []string{"skill://mcptest-no-such-skill"}
		for _, item := range list.Items[:min(len(list.Items), maxSkills)] {
			if root := skills.Root(item.Name); root != "" {
				wrong = append(wrong[:1], item.Name) // a file
				if err := p.directory(ctx, item, root); err != nil {
					return err
				}
			}
		}
		for _, uri := range wrong {
			ex, err := p.tryCall(ctx, "resources/directory/read", mcp.Object("uri", uri))
			if err != nil {
				return err
			}
			p.expectCode(ex, "directory read of "+quoted(uri), mcp.CodeInvalidParams)
		}
		return nil
	},
}

// directory compares the children of a skill's directory with its files.
func (p *CheckContext) directory(ctx context.Context, item mcp.Item, root string) error {
	ex, err := p.Call(ctx, "resources/directory/read", mcp.Object("uri", root))
	if err != nil {
		return err
	}
	at := Evidence{Subject: root, Exchange: ex, Pointer: "/resources"}
	if refusal := ex.Reply.Error; refusal != nil {
		p.Report(at, "resources/directory/read of the skill failed with error %d: %s, expected its children", refusal.Code,
			errorLine(refusal))
		return nil
	}
	children := map[string]string{}
	found, _ := schema.Elements(At(ex.Reply.Result, "/resources"))
	for _, child := range found {
		uri := schema.TextAt(child, "/uri")
		children[uri] = schema.TextAt(child, "/mimeType")
		if rest, ok := strings.CutPrefix(uri, root+"/"); !ok || strings.Contains(rest, "/") {
			p.Report(at, "%s is not a direct child of %s, expected only direct children", quoted(uri), quoted(root))
		}
	}
	if At(ex.Reply.Result, "/nextCursor") != nil {
		return nil // the rest is on other pages
	}
	files, _ := schema.Elements(At(item.Raw, "/resources"))
	missing := map[string]bool{}
	for _, file := range files {
		rest, ok := strings.CutPrefix(schema.TextAt(file, "/uri"), root+"/")
		name, _, below := strings.Cut(rest, "/")
		child := root + "/" + name
		kind, listed := children[child]
		switch {
		case !ok || missing[child]:
		case !listed:
			missing[child] = true
			p.Report(at, "the children of the skill lack %s, expected all of its files and directories", quoted(child))
		case below && kind != "inode/directory":
			missing[child] = true
			p.Report(at, "mimeType of the directory %s is %s, expected \"inode/directory\"", quoted(child), quoted(kind))
		}
	}
	return nil
}
