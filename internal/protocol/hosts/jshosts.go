package hosts

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Limits of Claude Code.
const (
	claudeDescriptionMax = 4096 // UTF-16 units
	claudeNameMax        = 128  // of the whole name; names of 108 arrive and names of 148 do not
)

// claudeCodeView normalizes all text to NFKC and cuts long descriptions. A composition at the root of the input
// schema costs the tool, because the API would reject the whole request.
func claudeCodeView(c *conversion) {
	if !c.accepted(clientCheck{}) {
		return
	}
	sent := c.definition.get("inputSchema")
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		if sent.has(keyword) {
			c.drop(keyword + " at the root of inputSchema")
			return
		}
	}
	c.out.Name = "mcp__" + replaceOther(c.server, "_-", "_") + "__" + replaceOther(c.out.Name, "_-", "_")
	if len(c.out.Name) > claudeNameMax {
		c.drop(fmt.Sprintf("the name has %d characters with the prefix mcp__SERVER__", len(c.out.Name)))
		return
	}
	if c.onlyLoss {
		return
	}
	schema := c.schema()
	var cut bool
	if c.out.Description, cut = cutUTF16(norm.NFKC.String(c.out.Description), claudeDescriptionMax); cut {
		c.out.Description += "… [truncated]"
	}
	schema.each(func(n *node) {
		if n.isText() {
			n.text = norm.NFKC.String(n.text)
		}
		for i := range n.fields {
			n.fields[i].name = norm.NFKC.String(n.fields[i].name)
		}
	})
	c.setSchema(schema)
}

const (
	geminiNameMax     = 63
	geminiWaitName    = "wait_for_previous"
	geminiWaitPurpose = "Set to true to wait for all previously requested tools in this turn to complete before " +
		"starting. " +
		"Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools."
)

// geminiCLIView adds a parameter to every tool and rewrites types with null to nullable.
func geminiCLIView(c *conversion) {
	if !c.accepted(clientCheck{properties: true, output: true}) || c.onlyLoss {
		return
	}
	c.out.Name = GeminiName(c.server + "_" + c.out.Name)
	schema := c.schema()
	schema.each(geminiNullable)
	properties := schema.get("properties")
	if properties == nil {
		properties = newObject()
		schema.set("properties", properties)
	}
	properties.set(geminiWaitName, newObject(field{"type", newText("boolean")},
		field{"description", newText(geminiWaitPurpose)}))
	c.setSchema(schema)
}

// geminiNullable replaces a type and null by the type and nullable.
func geminiNullable(n *node) {
	types := n.get("type")
	if !types.isList() || len(types.items) != 2 {
		return
	}
	for i, item := range types.items {
		if other := types.items[1-i]; item.hasText("null") && other.isText() && other.text != "null" {
			n.set("type", other)
			n.set("nullable", newBool(true))
			return
		}
	}
}

// GeminiName returns the function name under which Gemini CLI offers a tool.
func GeminiName(name string) string {
	clean := replaceOther(name, "_-.:", "_")
	if !strings.HasPrefix(clean, "mcp_") {
		clean = "mcp_" + clean
	}
	if len(clean) > geminiNameMax {
		clean = clean[:30] + "..." + clean[len(clean)-30:]
	}
	return clean
}

// qwenCodeView changes only the name. A tool without a description is dropped.
func qwenCodeView(c *conversion) {
	if !c.accepted(clientCheck{properties: true}) {
		return
	}
	if c.out.Description == "" {
		c.drop("no description")
		return
	}
	c.out.Name = "mcp__" + replaceOther(c.server+"__"+c.out.Name, "_.-", "_")
	if n := len(c.out.Name); n > geminiNameMax {
		c.out.Name = c.out.Name[:28] + "___" + c.out.Name[n-32:]
	}
}

// opencodeView closes the root of the schema.
func opencodeView(c *conversion) {
	if !c.accepted(clientCheck{properties: true}) || c.onlyLoss {
		return
	}
	c.out.Name = replaceOther(c.server, "_-", "_") + "_" + replaceOther(c.out.Name, "_-", "_")
	schema := c.schema()
	if !schema.has("properties") {
		schema.set("properties", newObject())
	}
	schema.set("additionalProperties", newBool(false))
	c.setSchema(schema)
}

// kiloView is that of opencode without the patterns that look around.
func kiloView(c *conversion) {
	opencodeView(c)
	if c.out.Lost != "" || c.onlyLoss {
		return
	}
	c.schema().each(func(n *node) {
		if pattern := n.get("pattern"); pattern.isText() && lookaround.MatchString(pattern.text) {
			n.remove("pattern")
		}
	})
}

// lookaround matches the start of a lookahead or lookbehind in a regular expression.
var lookaround = regexp.MustCompile(`\(\?<?[=!]`)

// continueView keeps only three keywords at the root, so that references into $defs no longer resolve.
func continueView(c *conversion) {
	if !c.accepted(clientCheck{properties: true}) || c.onlyLoss {
		return
	}
	schema, kept := c.schema(), newObject()
	for _, f := range schema.fields {
		if f.name == "type" || f.name == "properties" || f.name == "required" {
			kept.fields = append(kept.fields, f)
		}
	}
	if !kept.has("properties") {
		kept.set("properties", newObject())
	}
	c.setSchema(kept)
}

const (
	clineNameMax = 64
	clineHash    = 8
)

// clineView gives changed and long names a hash, trims descriptions and replaces empty ones.
func clineView(c *conversion) {
	if c.onlyLoss {
		return // it drops no tool
	}
	name := c.out.Name
	if c.out.Description = trimJavaScript(c.out.Description); c.out.Description == "" {
		c.out.Description = fmt.Sprintf("Execute MCP tool \"%s\" from server \"%s\".", name, c.server)
	}
	full := c.server + "__" + name
	c.out.Name = clineOther.ReplaceAllString(full, "_")
	if c.out.Name != full || len(full) > clineNameMax {
		base, _ := cutUTF16(c.out.Name, clineNameMax-1-clineHash)
		c.out.Name = base + "_" + shortHash(full, clineHash)
	}
	if schema := c.schema(); schema.isObject() {
		schema.remove("$schema")
		c.setSchema(schema.jsNumbers())
	}
}

var clineOther = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)

// trimJavaScript removes white space at both ends as String.trim does.
func trimJavaScript(text string) string {
	return strings.TrimFunc(text, func(r rune) bool {
		switch r {
		case '\t', '\n', '\v', '\f', '\r', ' ', 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
			return true
		}
		return r >= 0x2000 && r <= 0x200A
	})
}
