package ready

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxToolName is how long the name of a tool may be in the directory of Claude.
const maxToolName = 64

// claude applies the requirements of the directory of Claude.
func (r *run) claude() (skipped string, err error) {
	if err := r.authorizations("CLAUDE-004", claudeAuthorization); err != nil {
		return "", err
	}
	r.claudeViews()
	return r.eachTool(Claude, claudeTool), nil
}

// chatGPT applies the requirements of ChatGPT.
func (r *run) chatGPT() (skipped string, err error) {
	if err := r.authorizations("CHATGPT-002", chatGPTAuthorization); err != nil {
		return "", err
	}
	r.securitySchemes()
	r.chatGPTViews()
	return r.eachTool(ChatGPT, chatGPTTool), nil
}

// toolList are the tools of the server, or of the first one that was started; nil if they are not known.
func (r *run) toolList() []json.RawMessage {
	if r.opts.Tools != nil {
		return r.opts.Tools
	}
	return startedTools(r.opts.Started)
}

// eachTool applies requirements to each tool, or returns why there are none. If another fault of the place was found, it
// is not skipped.
func (r *run) eachTool(place string, judge func(*run, string, json.RawMessage)) (skipped string) {
	tools := r.toolList()
	for _, tool := range tools {
		judge(r, schema.TextAt(tool, "/name"), tool)
	}
	switch {
	case tools != nil:
		return ""
	case r.opts.NoTools != "":
		skipped = r.opts.NoTools
	case len(r.opts.Started) > 0:
		skipped = "the tools are not known: no server was started"
	default:
		skipped = "the tools are not known: add --start, or pass a server instead of a folder"
	}
	if r.hasFindings(place) {
		r.unchecked[place] = skipped
		return ""
	}
	return skipped
}

// hasFindings reports whether something was found that a place rejects.
func (r *run) hasFindings(place string) bool {
	for _, rule := range rules {
		if rule.place == place && len(r.findings[rule.ID]) > 0 {
			return true
		}
	}
	return false
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
