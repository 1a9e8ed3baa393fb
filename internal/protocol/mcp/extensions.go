package mcp

import (
	"encoding/json"
	"maps"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// The IDs of the extensions that this client declares, besides tasks.
const (
	AppsExtension   = "io.modelcontextprotocol/ui"     // MCP Apps: tools with views
	SkillsExtension = "io.modelcontextprotocol/skills" // skills of a server
)

// ViewType is the media type of the views of MCP Apps.
const ViewType = "text/html;profile=mcp-app"

// AppsSettings is what a client declares for AppsExtension.
var AppsSettings = Object("mimeTypes", []string{ViewType})

// AllExtensions are the extensions of a client that shows views and skills. Servers may hide what needs one that is not
// declared.
func AllExtensions() map[string]json.RawMessage {
	return map[string]json.RawMessage{AppsExtension: AppsSettings, SkillsExtension: json.RawMessage(`{}`)}
}

// extensions declares the extensions in the format of the revision; nil for none. The oldest revision has no place for
// them.
func (o *Options) extensions(revision string) json.RawMessage {
	declared := map[string]json.RawMessage{}
	if revision >= spec.March2025 {
		maps.Copy(declared, o.Extensions)
	}
	if o.Tasks && spec.EraOf(revision) == spec.Modern {
		declared[TasksExtension] = json.RawMessage(`{}`)
	}
	if len(declared) == 0 {
		return nil
	}
	raw, _ := json.Marshal(declared)
	return raw
}
