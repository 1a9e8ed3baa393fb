package requests

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

var skills = workbench.Parent{Name: "skills", Doc: "List and read a server's skills",
	Section: workbench.Explore, Order: 45}

// noSkills explains the error of a server without the extension.
const noSkills = "the server has no skills: it does not know skills/list"

// SkillsList lists a server's skills.
var SkillsList = listOp(&skills, "skills list", "List a server's skills\n\nShows each skill with its files; their digests "+
	"are checked by mcptest conform --rules 'SKILL-*'.", "skills/list", skillEntry)

func skillEntry(t *workbench.Text, item mcp.Item) {
	name := schema.TextAt(item.Raw, "/frontmatter/name")
	line := t.Bold("%s", item.Name)
	if name != "" {
		line = t.Bold("%s", name) + "  " + report.Line(item.Name)
	}
	t.Line(line + "  " + t.Dim("%s", skillSize(item.Raw)))
	front, _ := schema.Get(item.Raw, "/frontmatter")
	t.Describe(front)
	for _, field := range []string{"allowed-tools", "hooks"} { // a server requests them; nothing acts on them
		if raw, ok := schema.Get(front, "/"+field); ok {
			t.Line("    requests " + field + ": " + report.Line(clip.Text(string(raw), 120)))
		}
	}
}

// skillSize describes the files of a skill.
func skillSize(skill json.RawMessage) string {
	raw, _ := schema.Get(skill, "/resources")
	if text, ok := schema.Text(raw); ok {
		return clip.Text(text, 40)
	}
	files, _ := schema.Elements(raw)
	total := int64(0)
	for _, file := range files {
		size, _ := schema.Get(file, "/size")
		var n int64
		if json.Unmarshal(size, &n) == nil && n > 0 {
			total += n
		}
	}
	return fmt.Sprintf("%s, %s", workbench.Plural(len(files), "file"), workbench.Plural(int(total), "byte"))
}

// A SkillInput is the input of SkillsRead.
type SkillInput struct {
	Skill string `json:"skill" cli:"arg" jsonschema:"the skill: its name or the URI of its SKILL.md"`
	File  string `json:"file,omitempty" placeholder:"PATH" jsonschema:"the file to read, relative to the skill, instead of SKILL.md"`
	workbench.Connection
	Save string `json:"save,omitempty" surface:"cli" placeholder:"DIR" jsonschema:"save binary content to files in DIR"`
}

// SkillsRead reads a file of a skill.
var SkillsRead = workbench.Op[SkillInput, *Response]{
	Uses: workbench.Frames | workbench.Requests,
	Name: "skills read", Parent: &skills, Page: true,
	Doc: "Read a skill\n\nPrints SKILL.md, or another file of the skill. Nothing in a skill is run.",
	Example: "mcptest skills read skill://review/SKILL.md demo" + "\n" +
		"mcptest skills read skill://review/SKILL.md --file references/style.md demo",
	Run:  runSkillsRead,
	Text: ResourcesRead.Text,
}

func runSkillsRead(ctx context.Context, w *workbench.Workbench, in *SkillInput) (*Response, error) {
	s, err := w.Open(ctx, &in.Connection)
	if err != nil {
		return nil, err
	}
	uri := in.Skill
	if !strings.Contains(uri, "://") {
		if uri, err = skillURI(ctx, s, in.Skill); err != nil {
			return nil, err
		}
	}
	if in.File != "" {
		uri = strings.TrimSuffix(uri, "SKILL.md") + in.File
	}
	saved, err := newSaver(w, in.Save)
	if err != nil {
		return nil, err
	}
	call := calls.Call{Method: calls.Resource, Name: uri}
	outcome, err := call.Send(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	a := &Response{Outcome: outcome, saved: saved}
	if a.refused() {
		return a.advise("run mcptest skills list to see the skills"), nil
	}
	items, _ := elementsAt(a.Reply.Result, "/contents")
	for _, item := range items {
		a.saved.resource(item)
	}
	return a, nil
}

// skillURI finds the skill with a name.
func skillURI(ctx context.Context, s *mcp.Session, name string) (string, error) {
	list, err := s.List(ctx, "skills/list")
	if err != nil {
		return "", err
	}
	if list.Refused != nil && list.Refused.Code == mcp.CodeMethodNotFound {
		return "", &workbench.UsageError{Message: noSkills}
	}
	if list.Refused != nil {
		return "", &workbench.UsageError{Message: fmt.Sprintf("the skills of the server cannot be listed: %v", list.Refused),
			Hint: "give the URI of the SKILL.md instead of a name"}
	}
	var found []string
	var known []mcp.Item
	for _, item := range list.Items {
		label := schema.TextAt(item.Raw, "/frontmatter/name")
		known = append(known, mcp.Item{Name: label})
		if label == name {
			found = append(found, item.Name)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", &workbench.UsageError{Message: fmt.Sprintf("%d skills have the name %s", len(found), name),
			Hint: hint.Text("give a URI: " + clip.Text(strings.Join(found, ", "), 300))}
	}
	advice := hint.Text("run mcptest skills list to see the skills")
	if names := similar(name, known); len(names) > 0 {
		advice = hint.Text("did you mean " + clip.Text(strings.Join(names, ", "), 200) + "?")
	}
	return "", &workbench.UsageError{Message: "unknown skill " + name, Hint: advice}
}
