package workbench

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// ExtensionNames are the extensions that a connection can declare, by their short names.
var ExtensionNames = []string{"ui", "skills", "tasks"}

// NoExtensions stands for none of them.
const NoExtensions = "none"

// Declare sets the extensions that the client declares: all, unless the user names some.
func (c *Connection) Declare(o *mcp.Options) {
	named := Commas([]string{c.Extensions})
	has := func(name string) bool { return c.Extensions == "" || slices.Contains(named, name) }
	o.Tasks, o.Extensions = has("tasks"), mcp.AllExtensions()
	if !has("ui") {
		delete(o.Extensions, mcp.AppsExtension)
	}
	if !has("skills") {
		delete(o.Extensions, mcp.SkillsExtension)
	}
}

// UnknownExtension returns a name in a list that is none of an extension; empty if all are known.
func UnknownExtension(list string) string {
	named := Commas([]string{list})
	for _, name := range named {
		if !slices.Contains(ExtensionNames, name) && (name != NoExtensions || len(named) > 1) {
			return name
		}
	}
	return ""
}
