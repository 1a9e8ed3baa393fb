package conform

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

const (
	exemplarSkill     = "skill://exemplar/summary/SKILL.md"
	exemplarSkillFile = "skill://exemplar/summary/references/words.md"
)

// skillMutants break the rules for skills. A transport makes no difference to them.
func skillMutants() map[string][]mutant {
	all := map[string][]mutant{
		"SKILL-001": {
			{name: "only announces", defect: refused("skills/list", -32601, "method not found")},
			{name: "cannot get", defect: refused("skills/get", -32601, "method not found")},
			{name: "an object", defect: reply("skills/list", set("/result/skills", `{}`))},
			{name: "no resources", defect: func(s *exemplar.Server) {
				s.Plan = func(f *exemplar.Features) { delete(f.Capabilities, "resources") }
			}, also: everyCheck()},
		},
		"SKILL-002": {
			{name: "no files", defect: skillEntry(remove("/resources"))},
			{name: "no digest", defect: skillEntry(remove("/resources/1/digest")), also: []string{"SKILL-005"}},
			{name: "no description", defect: skillEntry(remove("/frontmatter/description")), also: []string{"SKILL-006"}},
			{name: "a folder", defect: skillEntry(set("/uri", `"skill://exemplar/summary"`)),
				also: []string{"SKILL-007", "SKILL-004"}},
		},
		"SKILL-003": {
			{name: "another name", defect: skillEntry(set("/frontmatter/name", `"hello"`)), also: []string{"SKILL-006"}},
			{name: "long", defect: skillEntry(set("/frontmatter/description", `"`+strings.Repeat("x", 1025)+`"`)),
				also: []string{"SKILL-006"}},
		},
		"SKILL-004": {
			{name: "twice", defect: skillEntry(set("/resources/1/uri", `"`+exemplarSkill+`"`)),
				also: []string{"SKILL-005", "SKILL-008"}},
			{name: "outside", defect: skillEntry(set("/resources/1/uri", `"skill://exemplar/summary/../other/a.md"`)),
				also: []string{"SKILL-005", "SKILL-008"}},
			{name: "without itself", defect: skillEntry(remove("/resources/0"))},
		},
		"SKILL-005": {
			{name: "other line endings", defect: skillEntry(set("/resources/1/digest",
				fmt.Sprintf(`"sha256:%x"`, sha256.Sum256([]byte("short, plain\r\n")))))},
			{name: "other bytes", defect: reads(exemplarSkillFile, set("/result/contents/0/text", `"goodbye"`))},
			{name: "is lost", defect: about("resources/read", exemplarSkillFile, func(c *exemplar.Call) []byte {
				return c.Refuse(-32602, "no such file")
			})},
		},
		"SKILL-006": {
			{name: "another value", defect: skillEntry(set("/frontmatter/metadata/version", `"2.0"`))},
			{name: "some fields", defect: skillEntry(remove("/frontmatter/metadata"))},
			{name: "more fields", defect: skillEntry(set("/frontmatter/license", `"MIT"`))},
		},
		"SKILL-007": {
			{name: "another entry", defect: reply("skills/get", set("/result/skill/resources", `"dynamic"`))},
			{name: "any URI", defect: about("skills/get", "no-such-skill", func(c *exemplar.Call) []byte {
				return cachedResult(c, `{"skill":{}}`)
			})},
			{name: "for how long", defect: reply("skills/list", remove("/result/ttlMs")), only: []string{"2026-07-28"}},
			{name: "for whom", defect: reply("skills/get", set("/result/cacheScope", `"all"`)),
				only: []string{"2026-07-28"}},
			{name: "is lost", defect: about("skills/get", exemplarSkill, func(c *exemplar.Call) []byte {
				return c.Refuse(-32602, "no such skill")
			})},
		},
		"SKILL-008": {
			{name: "all below", defect: lists(set("/result/resources/-", `{"uri":"`+exemplarSkillFile+
				`","name":"words.md"}`))},
			{name: "only files", defect: lists(remove("/result/resources/1"))},
			{name: "of no type", defect: lists(remove("/result/resources/1/mimeType"))},
			{name: "a file", defect: about("resources/directory/read", "SKILL.md", func(c *exemplar.Call) []byte {
				return succeed(c, `{"resources":[]}`)
			})},
			{name: "not at all", defect: refused("resources/directory/read", -32601, "method not found")},
		},
		"SKILL-009": {
			{name: "plain text", defect: both(reads(exemplarSkill, set("/result/contents/0/mimeType", `"text/plain"`)),
				listsEntry(exemplarSkill, set("/mimeType", `"text/plain"`)))},
			{name: "too large", defect: skillEntry(set("/resources/1/size", `20000000`)), also: []string{"SKILL-005"}},
			{name: "the same name", defect: reply("skills/list", set("/result/skills/-",
				`{"uri":"skill://other/summary/SKILL.md","frontmatter":{"name":"summary","description":"Summarizes."},`+
					`"resources":"dynamic"}`)), also: []string{"SKILL-007", "SKILL-008"}},
		},
		"SKILL-010": {{name: "any file", defect: about("resources/read", "summary/../", hostsContents)}},
		"SKILL-011": {{name: "asks for a shell", defect: skillEntry(set("/frontmatter/allowed-tools", `"Bash(*)"`)),
			also: []string{"SKILL-006"}}},
	}
	for _, some := range all {
		for i := range some {
			some[i].on = OnPipe
		}
	}
	return all
}

// skillEntry changes the entry of the skill, the same in the list and alone, by pointers into the entry.
func skillEntry(edits ...finding.Edit) func(*exemplar.Server) {
	at := func(prefix string) []finding.Edit {
		var all []finding.Edit
		for _, e := range edits {
			all = append(all, finding.Edit{Pointer: prefix + e.Pointer, Value: e.Value})
		}
		return all
	}
	return both(reply("skills/list", at("/result/skills/0")...), reply("skills/get", at("/result/skill")...))
}

// lists changes the children of the directory of the skill.
func lists(edits ...finding.Edit) func(*exemplar.Server) {
	return answer("resources/directory/read", func(c *exemplar.Call, r []byte) []byte {
		if schema.TextAt(c.Params, "/uri") != "skill://exemplar/summary" {
			return r
		}
		return edited(r, edits...)
	})
}
