package conform

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// skillsSpec is where the requirements for skills are defined.
const skillsSpec = "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx"

// skillsCapability is what a server with skills declares.
const skillsCapability = "extensions/io.modelcontextprotocol~1skills"

const (
	maxSkills     = 5  // skills whose files are read
	maxSkillFiles = 10 // files of each
	skillFile     = "/SKILL.md"
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

// skillRoot returns the directory of a skill; empty if its URI does not name SKILL.md.
func skillRoot(uri string) string {
	root, ok := strings.CutSuffix(uri, skillFile)
	if !ok {
		return ""
	}
	return root
}

// insideSkill reports whether a URI names a file in a directory.
func insideSkill(uri, root string) bool {
	rest, ok := strings.CutPrefix(uri, root+"/")
	decoded, err := url.PathUnescape(rest)
	return ok && err == nil && decoded != "" && path.Clean("/"+decoded) == "/"+decoded
}

// frontmatterOf returns the parsed YAML at the start of a SKILL.md.
func frontmatterOf(markdown string) (map[string]any, error) {
	markdown = strings.ReplaceAll(strings.TrimPrefix(markdown, "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(markdown, "---\n")
	if !ok {
		return nil, errors.New("SKILL.md does not start with ---")
	}
	text, _, ok := strings.Cut("\n"+rest, "\n---")
	if !ok {
		return nil, errors.New("the frontmatter of SKILL.md has no end (---)")
	}
	var values map[string]any
	if err := yaml.Unmarshal([]byte(text), &values); err != nil {
		return nil, errors.New("the frontmatter of SKILL.md is not valid YAML")
	}
	return values, nil
}

// sameValue reports whether a YAML value is the same as a JSON value. Scalars are compared as text too: parsers differ
// in what they take for a date or a number.
func sameValue(yamlValue, jsonValue any) bool {
	switch a := yamlValue.(type) {
	case map[string]any:
		b, ok := jsonValue.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, value := range a {
			if other, has := b[key]; !has || !sameValue(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := jsonValue.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !sameValue(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(yamlValue, jsonValue) || scalar(jsonValue) && fmt.Sprint(yamlValue) == fmt.Sprint(jsonValue)
}

func scalar(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// skillName reports whether a name follows the rules of Agent Skills.
func skillName(name string) bool {
	if name == "" || len(name) > 64 || strings.Contains("-"+name+"-", "--") {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool {
		return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) < 0
}

// sameEntry compares two entries of a skill.
func sameEntry(a, b json.RawMessage) bool {
	var one, other any
	return json.Unmarshal(a, &one) == nil && json.Unmarshal(b, &other) == nil && reflect.DeepEqual(one, other)
}
