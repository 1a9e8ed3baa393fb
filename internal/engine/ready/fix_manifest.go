package ready

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// manifestFixes are the changes of manifest.json.
func (r *run) manifestFixes(in *file, local []localPackage) (all []candidate) {
	edit := func(note string, edits ...finding.Edit) {
		all = append(all, candidate{file: manifestFile, note: note, edits: edits})
	}
	if plain := strings.TrimPrefix(in.text("/version"), "v"); plain != in.text("/version") {
		edit("the version has no v", setText("/version", plain))
	}
	for _, p := range local {
		differs := func(s Started) bool { return s.Reports != "" && s.Reports != p.version }
		if p.version != "" && !slices.ContainsFunc(r.opts.Started, differs) { // else it is not clear which one is right
			edit(fmt.Sprintf("the version is that of the %s package in this folder", p.kind), setText("/version", p.version))
		}
	}
	if raw, err := schemas.ReadFile("schemas/mcpb-" + in.text("/manifest_version") + ".json"); err == nil {
		known, _ := schema.Get(raw, "/properties")
		listed := members{}
		properties, _ := schema.Members(known)
		for _, m := range properties {
			listed[m.Name] = nil
		}
		all = append(all, unknownFixes(in, "", listed)...)
	}
	if tools := startedTools(r.opts.Started); tools != nil {
		edit("tools are those of the server that was started", finding.Edit{Pointer: "/tools", Value: toolList(tools)})
	}
	return all
}

// toolList returns tools as a manifest lists them.
func toolList(tools []json.RawMessage) json.RawMessage {
	lines := make([]string, len(tools))
	for i, tool := range tools {
		entry, _ := json.Marshal(struct {
			Name        string `json:"name"`
			Description string `json:"description,omitempty"`
		}{schema.TextAt(tool, "/name"), firstLine(schema.TextAt(tool, "/description"))})
		lines[i] = "    " + string(entry)
	}
	return json.RawMessage("[\n" + strings.Join(lines, ",\n") + "\n  ]")
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
