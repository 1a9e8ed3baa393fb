package mcpserver

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A kind is one of the lists that a server has.
type kind struct {
	key, method string
	total       string // the metadata field with the count
	item        func(item mcp.Item, brief bool) ordered
	schema      string // of an item
}

// The lists, by the field that contains their items.
var kinds = map[string]kind{
	"tools": {"tools", "tools/list", "total_tools", toolItem,
		record("", need("name", line("")), need("description", line("")), may("input_schema", record("The complete input schema.")), may("raw", value("The tool, exactly as the server sent it.")), may("problem", line("")))},
	"resources": {"resources", "resources/list", "total_resources", resourceItem,
		record("", need("uri", line("")), may("name", line("")), may("description", line("")), may("mimeType", line("")), may("raw", value("The resource, exactly as the server sent it.")), may("problem", line("")))},
	"resource_templates": {"resource_templates", "resources/templates/list", "total_resource_templates", templateItem,
		record("", need("uriTemplate", line("")), may("name", line("")), may("description", line("")), may("mimeType", line("")), may("raw", value("The template, exactly as the server sent it.")), may("problem", line("")))},
	"prompts": {"prompts", "prompts/list", "total_prompts", promptItem,
		record("", need("name", line("")), may("description", line("")), may("arguments", rows("", record("", may("name", line("")), may("description", line("")), may("required", flag(""))))),
			may("raw", value("The prompt, exactly as the server sent it.")), may("problem", line("")))},
}

func (k kind) output() string {
	return answers(connectionAnswer(), need(k.key, rows("All items that the server listed, from all pages.", k.schema)),
		may("problems", rows("Problems that prevented reading the complete list.", line(""))), pageAnswer(), framesAnswer(),
		metadataAnswer(need(k.total, count("Total number of items on the server.")), may("server_name", line("")), may("server_version", line("")), retrieved()))
}

func listTools() tool {
	return wholeList("tools", "list_tools", "List tools", "Lists all tools of the server on the current connection, each with its complete input schema, its description and "+
		"the definition exactly as the server sent it. Nothing is shortened unless you set detail, limit or contains.")
}

func listResources() tool {
	return wholeList("resources", "list_resources", "List resources", "Lists all resources of the server on the current connection with URI, name, description and MIME type, "+
		"and the entry exactly as the server sent it.")
}

func listResourceTemplates() tool {
	return wholeList("resource_templates", "list_resource_templates", "List resource templates", "Lists all resource templates of the server on the current connection: URI patterns that "+
		"you can read with read_resource once their variables are filled in.")
}

func listPrompts() tool {
	return wholeList("prompts", "list_prompts", "List prompts", "Lists all prompts of the server on the current connection with description and arguments, and the entry exactly as "+
		"the server sent it.")
}

func wholeList(key, name, title, doc string) tool {
	k := kinds[key]
	return tool{name: name, title: title, doc: doc, open: true, output: k.output(),
		input: closed("", onConnection(), withDetail(),
			may("offset", whole("Number of items to skip.", 0, 100_000)),
			may("limit", whole("Maximum number of items to return.", 1, 10_000)),
			may("contains", text("Only items whose name or URI contains this text.", maxName)),
			withFrames()),
		run: func(ctx context.Context, c *call) (any, error) {
			in := decode[struct {
				Connection, Detail, Contains string
				Offset, Limit                int
				Frames                       bool
			}](c)
			return c.list(ctx, in.Connection, k, view{brief: in.Detail == "summary", offset: in.Offset, limit: in.Limit, contains: in.Contains, frames: in.Frames})
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
		problems = []string{"the server has no " + k.key + ": it does not declare the capability and returned " + found.Refused.Error()}
	}
	items, page := v.apply(found.Items, k)
	info := infoOf(l)
	pairs := []any{"success", true, "connection", describe(l), k.key, items}
	if len(problems) > 0 {
		pairs = append(pairs, "problems", problems)
	}
	if page != nil {
		pairs = append(pairs, "page", page)
	}
	if v.frames {
		pairs = append(pairs, "frames", framesSince(l, mark))
	}
	return ordered(append(pairs, "metadata", ordered{k.total, len(found.Items), "server_name", info.Name, "server_version", info.Version,
		"retrieved_at", retrieved, "request_time_ms", c.elapsed()})), nil
}

func declares(l *workbench.Link, k kind) bool {
	capability := k.key
	if capability == "resource_templates" {
		capability = "resources"
	}
	return l.Session.Declares(capability)
}

func refusedList(k kind, refused *mcp.RPCError) error {
	d := details{"method": k.method}
	tellRPC(d, refused)
	return &failure{Type: executionError, Message: "the server rejected " + k.method + ": " + refused.Error(), Details: d,
		Suggestion: "use get_transcript to see the messages"}
}

// briefText is the length of a description in a summary.
const briefText = 120

// shown returns an item of a list with the fields of the result and, unless brief, the item unchanged.
func shown(item mcp.Item, brief bool, pairs ...any) ordered {
	description := textAt(item.Raw, "/description")
	if brief {
		description = clip.Text(description, briefText)
	}
	pairs = append(pairs, "description", description)
	if !brief {
		pairs = append(pairs, "raw", exact(item.Raw))
	}
	if item.Odd != "" {
		pairs = append(pairs, "problem", item.Odd)
	}
	return pairs
}

func toolItem(item mcp.Item, brief bool) ordered {
	input, _ := schema.Get(item.Raw, "/inputSchema")
	if schema.Kind(input) != '{' {
		input = json.RawMessage(`{}`) // raw has what the server sent instead
	}
	if brief {
		input = outline(input)
	}
	return shown(item, brief, "name", item.Name, "input_schema", exact(input))
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

func resourceItem(item mcp.Item, brief bool) ordered {
	return shown(item, brief, "uri", item.Name, "name", textAt(item.Raw, "/name"), "mimeType", textAt(item.Raw, "/mimeType"))
}

func templateItem(item mcp.Item, brief bool) ordered {
	return shown(item, brief, "uriTemplate", item.Name, "name", textAt(item.Raw, "/name"), "mimeType", textAt(item.Raw, "/mimeType"))
}

func promptItem(item mcp.Item, brief bool) ordered {
	return shown(item, brief, "name", item.Name, "arguments", promptArguments(item.Raw))
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
		all = append(all, promptArgument{textAt(e, "/name"), textAt(e, "/description"), string(required) == "true"})
	}
	return all
}
