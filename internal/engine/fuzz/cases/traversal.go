package cases

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// traversalTexts are paths to a file that every Unix system has and everyone may read, written so that common filters miss
// them: filters that remove "../" once, look for it before they decode the path, or know only one separator.
var traversalTexts = []struct{ says, text string }{
	{"a path outside the directory after ../ is removed once", climb("....//") + "etc/passwd"},
	{"an absolute path", "/etc/passwd"},
	{"a path outside the directory that starts with a name", "docs/" + climb("../") + "etc/passwd"},
	{"a path outside the directory after ../ is removed once", climb("..././") + "etc/passwd"},
	{"an encoded path outside the directory", climb("..%2f") + "etc%2fpasswd"},
	{"an encoded path outside the directory", climb("%2e%2e%2f") + "etc%2fpasswd"},
	{"a path outside the directory with backslashes", climb(`..\`) + `etc\passwd`},
	{"a path outside the directory that is encoded twice", climb("%252e%252e%252f") + "etc%252fpasswd"},
	{"a URL with a file scheme", "file:///etc/passwd"},
}

// climb repeats a step to the parent directory more often than directories are nested.
func climb(step string) string { return strings.Repeat(step, 8) }

// pathWords are in the name or the description of an argument that may be a path.
var pathWords = lazyregexp.New(`(?i)path|file|folder|director|dir\b|name|ur[il]\b|document|note|page|template|location|asset`)

// traversals are the paths for a text. They are sent early if the text may be a path.
func traversals(n *node) []edit {
	var all []edit
	for _, t := range traversalTexts {
		all = append(all, replace(n, AgentMistake, t.says, string(rawjson.Quote(t.text)))...)
	}
	if pathWords().MatchString(n.path + " " + schema.TextAt(n.rules.Raw, "/description")) {
		all = first(all)
	}
	return all
}

// behind is the way out of the directory of a path that the server has, such as guides/setup.md: some filters look only at the start
// of a path, and the directory in it exists. It is nil for other values.
func (g *Generator) behind(n *node, value string) []edit {
	directory, _, within := strings.Cut(value, "/")
	if g.care.Gentle || g.care.Writes || !within || directory == "" || strings.ContainsAny(directory, ":.") || !n.isFree() {
		return nil
	}
	return replace(n, AgentMistake, "a path outside the directory that starts with a known one",
		string(rawjson.Quote(directory+"/"+climb("../")+"etc/passwd")))
}

// isPath matches the names of arguments that are paths.
var isPath = lazyregexp.New(`(?i)path|[^o]file|folder|directory|dir$|document$|page$|template`)

// isURL matches the names of arguments that are URLs.
var isURL = lazyregexp.New(`(?i)(?:^|[/_-]|[a-z])(?:ur[il]|link|href)$`)

// takesURL reports whether a text is a URL of any form.
func (n *node) takesURL() bool {
	format, _ := n.rules.Text("format")
	takes := format == "uri" || format == "url" || format == "" && isURL().MatchString(n.path)
	return takes && n.isFree()
}

// isFree reports whether a value is a text for which the schema has no list and no pattern.
func (n *node) isFree() bool {
	return n.kind == '"' && !n.rules.Has("enum") && !n.rules.Has("const") && !n.rules.Has("pattern")
}

// ExpectFewCalls replaces a sample with one that fails in many tools: the URL of a file, or else a day long ago, for which there is no
// data. Of a tool that may be called a few times only, no such value would ever be sent. That sample then comes first: other samples
// are often sent before.
func (g *Generator) ExpectFewCalls() {
	if g.care.Gentle || g.care.Writes || len(g.bases) < 2 {
		return
	}
	var provoking []edit
	g.bases[0].walk(func(n *node) {
		if len(provoking) == 0 && n.takesURL() {
			provoking = replace(n, Valid, "", string(rawjson.Quote("file:///etc/passwd")))
		}
	})
	g.bases[0].walk(func(n *node) {
		if old := n.dayLongAgo(); len(provoking) == 0 && old != "" {
			provoking = replace(n, Valid, "", old)
		}
	})
	if len(provoking) == 1 {
		sample := render(nil, g.bases[0], provoking)
		g.bases[1] = buildTree(sample, provoking[0].at.source)
		g.provokes = true
	}
}
