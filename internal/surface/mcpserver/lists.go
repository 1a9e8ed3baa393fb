package mcpserver

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A kind is one of the lists that a server has.
type kind struct {
	key, method string
	total       string // the metadata field with the count
	item        func(item mcp.Item, v verbosity) ordered
}

// The lists, by the field that contains their items.
var kinds = map[string]kind{
	"tools":     {"tools", "tools/list", "total_tools", toolItem},
	"resources": {"resources", "resources/list", "total_resources", resourceItem},
	"resource_templates": {"resource_templates", "resources/templates/list", "total_resource_templates",
		templateItem},
	"prompts": {"prompts", "prompts/list", "total_prompts", promptItem},
}

func listTools() tool {
	return wholeList("tools", "list_tools",
		"Lists all tools with complete input schemas, as the server sent them.")
}

func listResources() tool {
	return wholeList("resources", "list_resources", "Lists all resources.")
}

func listResourceTemplates() tool {
	return wholeList("resource_templates", "list_resource_templates",
		"Lists all resource templates: URI patterns for read_resource.")
}

func listPrompts() tool {
	return wholeList("prompts", "list_prompts",
		"Lists all prompts with their arguments.")
}

func wholeList(key, name, doc string) tool {
	k := kinds[key]
	output := outputSchema(items(k.key))
	if key == "resource_templates" {
		output = ""
	}
	return tool{name: name, doc: doc, open: true, output: output,
		input: closed("", onConnection(), withVerbosity(),
			may("offset", whole("Items to skip.", 0, 100_000)),
			may("limit", whole("Items to return.", 1, 10_000)),
			may("contains", text("Part of the name or URI.", maxName))),
		run: func(ctx context.Context, c *call) (any, error) {
			in := decode[struct {
				Connection, Contains string
				Verbosity            verbosity
				Offset, Limit        int
			}](c)
			return c.list(ctx, in.Connection, k, view{verbosity: in.Verbosity, offset: in.Offset, limit: in.Limit,
				contains: in.Contains})
		}}
}

// list reads one of the server's lists and returns the selected view of it.
func (c *call) list(ctx context.Context, name string, k kind, v view) (any, error) {
	l, err := c.on(name)
	if err != nil {
		return nil, err
	}
	mark := l.Log.Len()
	found, err := l.Session.List(ctx, k.method)
	if err != nil {
		return nil, err
	}
	retrieved := stamp(time.Now())
	if found.Refused != nil && (found.Refused.Code != mcp.CodeMethodNotFound || declares(l, k)) {
		return nil, refusedList(k, found.Refused)
	}
	problems := found.Problems
	if found.Refused != nil {
		problems = []string{"the server has no " + k.key + ": it does not declare the capability and returned " +
			found.Refused.Error()}
	}
	items, page := v.apply(found.Items, k)
	info := infoOf(l)
	pairs := []any{"success", true, "connection", reached(l), k.key, items}
	for _, p := range problems {
		c.problems = append(c.problems, problem{kindList, p})
	}
	if k.key == "tools" && found.Refused == nil {
		c.origins.listed(l.Name, toolList(found))
	}
	if page != nil {
		pairs = append(pairs, "page", page)
	}
	if v.verbosity == full {
		pairs = append(pairs, "frames", framesSince(l, mark))
	}
	return ordered(append(pairs, "metadata", ordered{k.total, len(found.Items), "server_name", info.Name,
		"server_version", info.Version,
		"retrieved_at", retrieved, "request_time_ms", c.elapsed()})), nil
}

func declares(l *connections.Link, k kind) bool {
	capability := k.key
	if capability == "resource_templates" {
		capability = "resources"
	}
	return l.Session.Declares(capability)
}

func refusedList(k kind, refused *mcp.RPCError) error {
	d := details{"method": k.method}
	describeRPC(d, refused)
	return &failure{Type: executionError, Message: "the server rejected " + k.method + ": " + refused.Error(),
		Details:    d,
		Suggestion: "use get_transcript to see the messages"}
}

// briefText is the length of a description in a summary.
const briefText = 120

// listItem returns an item of a list with the fields of the result and the other fields of the item, which are known by
// the names in known. If the fields cannot show what the server sent, or with full verbosity, raw has all of it.
func listItem(item mcp.Item, v verbosity, exact bool, known []string, pairs ...any) ordered {
	description := schema.TextAt(item.Raw, "/description")
	if v == brief {
		description = clip.Text(description, briefText)
	}
	pairs = append(pairs, "description", description)
	switch {
	case v == full || !exact || item.Odd != "":
		pairs = append(pairs, "raw", rawOrBase64(item.Raw))
	case v != brief:
		pairs = append(pairs, others(item.Raw, append(known, "description"))...)
	}
	if item.Odd != "" {
		pairs = append(pairs, "problem", item.Odd)
	}
	return pairs
}

// others returns the members of an item that have no field of their own, unchanged.
func others(raw json.RawMessage, known []string) []any {
	members, _ := schema.Members(raw)
	var rest ordered
	for _, m := range members {
		if !slices.Contains(known, m.Name) {
			rest = append(rest, m.Name, rawOrBase64(m.Value))
		}
	}
	if len(rest) == 0 {
		return nil
	}
	return []any{"other", rest}
}

// isString reports whether a member is a string or missing.
func isString(raw json.RawMessage, pointers ...string) bool {
	for _, pointer := range pointers {
		if value, ok := schema.Get(raw, pointer); ok && schema.Kind(value) != '"' {
			return false
		}
	}
	return true
}

func toolItem(item mcp.Item, v verbosity) ordered {
	input, _ := schema.Get(item.Raw, "/inputSchema")
	exact := schema.Kind(input) == '{' && isString(item.Raw, "/description")
	if schema.Kind(input) != '{' {
		input = json.RawMessage(`{}`) // raw has what the server sent instead
	}
	if v == brief {
		input = outline(input)
	}
	return listItem(item, v, exact, []string{"name", "inputSchema"}, "name", item.Name, "input_schema",
		rawOrBase64(input))
}

// outline returns only the names and types of a schema's properties.
func outline(input json.RawMessage) json.RawMessage {
	properties, _ := schema.Get(input, "/properties")
	members, _ := schema.Members(properties)
	types := []any{}
	for _, m := range members {
		var kind any
		if raw, ok := schema.Get(m.Value, "/type"); ok {
			kind = raw
		}
		types = append(types, m.Name, mcp.Object("type", kind))
	}
	var required any
	if raw, ok := schema.Get(input, "/required"); ok {
		required = raw
	}
	return mcp.Object("type", "object", "properties", mcp.Object(types...), "required", required)
}

func resourceItem(item mcp.Item, v verbosity) ordered { return addressed(item, v, "uri") }

func templateItem(item mcp.Item, v verbosity) ordered { return addressed(item, v, "uriTemplate") }

// addressed shows an item with a URI or a pattern of URIs.
func addressed(item mcp.Item, v verbosity, key string) ordered {
	return listItem(item, v, isString(item.Raw, "/name", "/mimeType", "/description"),
		[]string{key, "name", "mimeType"},
		key, item.Name, "name", schema.TextAt(item.Raw, "/name"), "mimeType", schema.TextAt(item.Raw, "/mimeType"))
}

func promptItem(item mcp.Item, v verbosity) ordered {
	return listItem(item, v, isString(item.Raw, "/description"), []string{"name", "arguments"}, "name", item.Name,
		"arguments", promptArguments(item.Raw))
}

// A promptArgument describes an argument of a prompt.
type promptArgument struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

func promptArguments(prompt json.RawMessage) []promptArgument {
	raw, _ := schema.Get(prompt, "/arguments")
	elements, _ := schema.Elements(raw)
	all := []promptArgument{}
	for _, e := range elements {
		required, _ := schema.Get(e, "/required")
		all = append(all, promptArgument{schema.TextAt(e, "/name"), schema.TextAt(e, "/description"),
			string(required) == "true"})
	}
	return all
}
