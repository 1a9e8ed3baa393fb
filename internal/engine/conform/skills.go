package conform

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
)

// skillsSpec is where the requirements for skills are defined.
const skillsSpec = "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx"

// skillsCapability is what a server with skills declares.
const skillsCapability = "extensions/io.modelcontextprotocol~1skills"

const (
	maxSkills     = 5  // skills whose files are read
	maxSkillFiles = 10 // files of each
)

// Skills returns the entries of skills/list. A check without any ends here.
func (p *CheckContext) Skills(ctx context.Context) (*mcp.List, error) {
	return p.Offered(ctx, "skills/list")
}

// eachSkill calls do for each entry of skills/list that is an object.
func (p *CheckContext) eachSkill(ctx context.Context, do func(item mcp.Item, at Evidence)) error {
	list, err := p.Skills(ctx)
	if err != nil {
		return err
	}
	for _, item := range list.Items {
		if schema.Kind(item.Raw) == '{' {
			do(item, Evidence{Subject: item.Name, Exchange: pageOf(list, item)})
		}
	}
	return nil
}

// eachSkillProblem reports the problems that find finds in the entries of skills.
func (p *CheckContext) eachSkillProblem(ctx context.Context, find func(json.RawMessage) []skills.Problem) error {
	return p.eachSkill(ctx, func(item mcp.Item, at Evidence) {
		for _, one := range find(item.Raw) {
			at.Pointer = one.Pointer
			p.Report(at, "%s", one.Message)
		}
	})
}

// A skillRead is a file of a skill that was read.
type skillRead struct {
	Skill mcp.Item
	URI   string
	File  json.RawMessage // its entry in resources
	Index int             // of that entry
	Read  *mcp.Exchange
}

// skillReads reads the first files of the first skills, once for all checks.
func (p *CheckContext) skillReads(ctx context.Context) ([]skillRead, error) {
	list, err := p.Skills(ctx)
	if err != nil {
		return nil, err
	}
	reads, err := remember(ctx, p, "skills", func() ([]skillRead, error) {
		var all []skillRead
		for _, skill := range list.Items[:min(len(list.Items), maxSkills)] {
			files, _ := schema.Elements(At(skill.Raw, "/resources"))
			for i, file := range files[:min(len(files), maxSkillFiles)] {
				uri := schema.TextAt(file, "/uri")
				if uri == "" {
					continue
				}
				ex, err := p.Call(ctx, "resources/read", mcp.Object("uri", uri))
				if err != nil {
					return nil, err
				}
				all = append(all, skillRead{skill, uri, file, i, ex})
			}
		}
		return all, nil
	})
	if err == nil && len(reads) == 0 {
		return nil, p.Skip("no skill lists its files")
	}
	return reads, err
}

// bytes returns the content of the file.
func (r *skillRead) bytes() ([]byte, error) {
	if refusal := r.Read.Reply.Error; refusal != nil {
		return nil, fmt.Errorf("resources/read failed with error %d: %s", refusal.Code, errorLine(refusal))
	}
	content := At(r.Read.Reply.Result, "/contents/0")
	if text, ok := schema.Text(At(content, "/text")); ok && At(content, "/text") != nil {
		return []byte(text), nil
	}
	blob, ok := schema.Text(At(content, "/blob"))
	if !ok {
		return nil, errors.New("resources/read returned neither text nor blob")
	}
	return base64.StdEncoding.DecodeString(blob)
}

// sameEntry compares two entries of a skill.
func sameEntry(a, b json.RawMessage) bool {
	var one, other any
	return json.Unmarshal(a, &one) == nil && json.Unmarshal(b, &other) == nil && reflect.DeepEqual(one, other)
}
