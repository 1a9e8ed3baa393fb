package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// texts are the keywords that reject nothing. A model reads some of them.
var texts = []string{
	"$schema", "$id", "$comment", "$anchor", "title", "description", "default", "examples", "example", "deprecated",
	"readOnly",
	"writeOnly", "format", "contentEncoding", "contentMediaType", "enumNames", "enumDescriptions", "enumTitles",
	"markdownDescription", "errorMessage",
}

// isText recognizes a keyword that rejects nothing, extensions included.
func isText(keyword string) bool {
	return slices.Contains(texts, keyword) || strings.HasPrefix(keyword, "x-")
}

// texts compares the keywords that reject nothing.
func (p *pair) texts(at step, was, is view) {
	names := append(sortedKeys(was.in), sortedKeys(is.in)...)
	slices.Sort(names)
	for _, keyword := range slices.Compact(names) {
		before, had := was.in[keyword]
		after, has := is.in[keyword]
		if !isText(keyword) || had == has && equal(before, after) {
			continue
		}
		c := Change{Kind: kindOf(p, keyword), Path: "/" + schema.Token(keyword), Verdict: Meaning, Basis: "rule: text",
			Old: present(was.in, keyword), New: present(is.in, keyword)}
		switch keyword {
		case "$schema":
			c.Kind, c.Verdict, c.Artifact = "dialect", Cosmetic, "dialect"
			c.Message = fmt.Sprintf("%s: dialect changed from %s to %s", p.subject(at), dialect(before), dialect(after))
		case "$comment", "$id", "$anchor":
			c.Verdict, c.Message = Cosmetic, p.subject(at)+": "+keyword+" changed"
		case "title":
			p.title(&c, at, textOf(before), textOf(after))
		case "description":
			if changed := textChange(c.Kind, c.Path, "description of "+p.subject(at), textOf(before),
				textOf(after)); changed != nil {
				c = *changed
			}
		default:
			c.Message = p.subject(at) + ": " + keywordChange(keyword, before, had, after, has)
			if keyword == "format" {
				c.Message += "; a server may check it"
			}
		}
		p.add(at, c)
	}
}

// title compares titles. Those that repeat the name come from a generator.
func (p *pair) title(c *Change, at step, before, after string) {
	c.Message = fmt.Sprintf("title of %s changed", p.subject(at))
	repeats := func(title string) bool {
		return title == "" || normalName(title) == normalName(at.name) || at.name == "" && !strings.Contains(title, " ")
	}
	if repeats(before) && repeats(after) || plainText(before) == plainText(after) {
		c.Verdict = Cosmetic
	}
}

func keywordChange(keyword string, before any, had bool, after any, has bool) string {
	switch {
	case !had:
		return fmt.Sprintf("%s %s added", keyword, brief(after))
	case !has:
		return fmt.Sprintf("%s %s removed", keyword, brief(before))
	}
	return fmt.Sprintf("%s changed from %s to %s", keyword, brief(before), brief(after))
}

// dialect is the short name of a $schema.
func dialect(value any) string {
	text := textOf(value)
	for _, name := range []string{"draft-04", "draft-06", "draft-07", "2019-09", "2020-12"} {
		if strings.Contains(text, name) {
			return name
		}
	}
	if text == "" {
		return "none"
	}
	return quote(text)
}
