package ready

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxToolName is how long the name of a tool may be in the directory of Claude.
const maxToolName = 64

// tools applies the requirements of a directory to each tool.
func (r *run) tools(judge func(*run, string, json.RawMessage)) (skipped string, err error) {
	tools := r.opts.Tools
	if tools == nil {
		tools = startedTools(r.opts.Started)
	}
	switch {
	case tools == nil && len(r.opts.Started) > 0:
		return "the tools are not known: no server was started", nil
	case tools == nil:
		return "the tools are not known: add --start, or pass a server instead of a folder", nil
	}
	for _, tool := range tools {
		judge(r, schema.TextAt(tool, "/name"), tool)
	}
	return "", nil
}

// about records a finding about a tool.
func (r *run) about(id, tool, pointer, message string) {
	r.findings[id] = append(r.findings[id], finding.Finding{Rule: id, Severity: ruleByID(id).Severity, Message: message,
		Where: finding.Location{Subject: tool, Pointer: pointer}})
}

func claudeTool(r *run, name string, tool json.RawMessage) {
	if strings.TrimSpace(schema.TextAt(tool, "/title")+schema.TextAt(tool, "/annotations/title")) == "" {
		r.about("CLAUDE-001", name, "/title", "title is missing")
	}
	if !hint(tool, "readOnlyHint") && !hint(tool, "destructiveHint") {
		r.about("CLAUDE-002", name, "/annotations", "neither readOnlyHint nor destructiveHint is set")
	}
	if n := utf8.RuneCountInString(name); n > maxToolName {
		r.about("CLAUDE-003", name, "/name", "the name has more than 64 characters")
	}
}

func chatGPTTool(r *run, name string, tool json.RawMessage) {
	var missing []string
	for _, annotation := range []string{"readOnlyHint", "destructiveHint", "openWorldHint"} {
		if !hint(tool, annotation) {
			missing = append(missing, annotation)
		}
	}
	if len(missing) > 0 {
		r.about("CHATGPT-001", name, "/annotations", "not set: "+strings.Join(missing, ", "))
	}
}

// hint reports whether an annotation is true or false.
func hint(tool json.RawMessage, name string) bool {
	value, _ := schema.Get(tool, "/annotations/"+name)
	return string(value) == "true" || string(value) == "false"
}
