package exemplar

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// The skill of this server.
const (
	skillRoot = "skill://exemplar/summary"
	skillURI  = skillRoot + "/SKILL.md"
	wordsURI  = skillRoot + "/references/words.md"
)

var skillFiles = map[string]string{
	skillURI: "---\nname: summary\ndescription: Summarizes a text. Use it for long texts.\nmetadata:\n" +
		"  version: \"1.0\"\n---\n\nUse the words of references/words.md.\n",
	wordsURI: "short, plain\n",
}

// hasSkills reports whether the revision has skills.
func (c *Call) hasSkills() bool { return c.Revision >= "2025-11-25" }

func skillEntries(c *Call) []string {
	if !c.hasSkills() {
		return nil
	}
	return []string{`{"uri":"` + skillURI + `","name":"summary","mimeType":"text/markdown"}`}
}

// skillEntry describes the skill.
func skillEntry() string {
	var files []string
	for _, uri := range []string{skillURI, wordsURI} {
		files = append(files, fmt.Sprintf(`{"uri":%q,"digest":"sha256:%x","size":%d}`, uri,
			sha256.Sum256([]byte(skillFiles[uri])), len(skillFiles[uri])))
	}
	return `{"uri":"` + skillURI + `","frontmatter":{"name":"summary","description":"Summarizes a text. Use it ` +
		`for long texts.","metadata":{"version":"1.0"}},"resources":[` + strings.Join(files, ",") + `]}`
}

// skills handles the methods of the extension; nil for any other.
func (c *Call) skills() []byte {
	if !c.hasSkills() {
		return nil
	}
	uri := text(c.Params, "uri")
	switch {
	case c.Method == "skills/list":
		return c.list("skills", []string{skillEntry()})
	case c.Method == "skills/get" && uri == skillURI:
		return c.complete26(`{"skill":`+skillEntry()+`}`, true)
	case c.Method == "resources/directory/read" && uri == skillRoot:
		return c.complete26(`{"resources":[{"uri":"`+skillURI+`","name":"SKILL.md","mimeType":"text/markdown"},`+
			`{"uri":"`+skillRoot+`/references","name":"references","mimeType":"inode/directory"}]}`, false)
	case c.Method == "resources/directory/read" && uri == skillRoot+"/references":
		return c.complete26(`{"resources":[{"uri":"`+wordsURI+`","name":"words.md","mimeType":"text/markdown"}]}`, false)
	case c.Method == "skills/get" || c.Method == "resources/directory/read":
		return c.fail(serve.CodeInvalidParams, "not found: %q", uri)
	}
	return nil
}
