package exemplar

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// tools returns the definitions for the revision.
func tools(c *Call) []string {
	readOnly, idempotent, titled, output, view := "", "", "", "", ""
	if c.Revision >= "2025-03-26" {
		readOnly = `,"annotations":{"readOnlyHint":true}`
		idempotent = `,"annotations":{"readOnlyHint":false,"idempotentHint":true}`
	}
	if c.Revision >= "2025-06-18" {
		titled = `,"title":"Sum"`
		view = `,"_meta":{"ui":{"resourceUri":"` + viewURI + `"}}`
		output = `,"outputSchema":{"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]}`
	}
	return append([]string{
		`{"name":"echo","description":"Returns the text.","inputSchema":{"type":"object",` +
			`"properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}` + readOnly +
			view + `}`,
		`{"name":"sum"` + titled + `,"description":"Adds two numbers.","inputSchema":{"type":"object",` +
			`"properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"],` +
			`"additionalProperties":false}` + output + readOnly + `}`,
		`{"name":"touch","description":"Changes the note and notifies subscribers.","inputSchema":{"type":"object",` +
			`"additionalProperties":false}` + idempotent + `}`,
	}, talkingTools(c)...)
}

func (c *Call) callTool() []byte {
	arguments := serve.Members(c.Params)["arguments"]
	name := text(c.Params, "name")
	if arguments != nil && arguments[0] != '{' {
		return c.fail(serve.CodeInvalidParams, "arguments is an object")
	}
	if serve.Members(c.Params)["task"] != nil && c.Revision == "2025-11-25" && name != "research" && name != "survey" {
		return c.fail(serve.CodeMethodNotFound, "%q does not run as a task", name)
	}
	switch name {
	case "echo":
		said := text(arguments, "text")
		if serve.Members(arguments)["text"] == nil || serve.Members(arguments)["text"][0] != '"' {
			return c.refuseArguments("text is required and is a string")
		}
		return c.toolText(said)
	case "sum":
		return c.sum(arguments)
	case "touch":
		c.Server.notify("notifications/resources/updated", `{"uri":"note://one"}`)
		c.Server.notify("notifications/tools/list_changed", `{}`)
		return c.toolText("touched")
	default:
		if reply, ok := c.talk(name); ok {
			return reply
		}
		return c.fail(serve.CodeInvalidParams, "unknown tool: %q", name)
	}
}

func (c *Call) sum(arguments json.RawMessage) []byte {
	var in struct{ A, B *float64 }
	if json.Unmarshal(arguments, &in) != nil || in.A == nil || in.B == nil {
		return c.refuseArguments("a and b are required and are numbers")
	}
	said, _ := json.Marshal(struct {
		Sum float64 `json:"sum"`
	}{*in.A + *in.B})
	if c.Revision < "2025-06-18" {
		return c.toolText(string(said))
	}
	return c.complete26(fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"structuredContent":%s}`,
		serve.Encode(string(said)), said), false)
}

// refuseArguments reports invalid arguments: from 2025-11-25 on in a result that a model can see.
func (c *Call) refuseArguments(why string) []byte {
	if c.Revision < "2025-11-25" {
		return c.fail(serve.CodeInvalidParams, "%s", why)
	}
	return c.complete26(fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"isError":true}`, serve.Encode(why)), false)
}

func (c *Call) toolText(said string) []byte {
	return c.complete26(fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, serve.Encode(said)), false)
}

func resources(c *Call) []string {
	return append([]string{
		`{"uri":"note://one","name":"one","mimeType":"text/plain"}`,
		`{"uri":"note://pixel","name":"pixel","mimeType":"image/png"}`,
		`{"uri":"note://three","name":"three"}`,
	}, append(viewEntries(c), skillEntries(c)...)...)
}

func templates(*Call) []string {
	return []string{`{"uriTemplate":"note://numbered/{n}","name":"numbered","mimeType":"text/plain"}`,
		`{"uriTemplate":"note://dated/{day}","name":"dated"}`, `{"uriTemplate":"note://named/{name}","name":"named"}`}
}

func (c *Call) readResource() []byte {
	uri := text(c.Params, "uri")
	content := ""
	switch {
	case uri == "":
		return c.fail(serve.CodeInvalidParams, "uri is required and is a string")
	case uri == "note://one" || uri == "note://three" || templated(uri):
		content = fmt.Sprintf(`{"uri":%q,"mimeType":"text/plain","text":%q}`, uri, noteOf(uri))
	case uri == "note://pixel":
		content = `{"uri":"note://pixel","mimeType":"image/png","blob":"iVBORw0KGgo="}`
	case uri == viewURI && c.Revision >= "2025-06-18":
		content = viewContent
	case c.hasSkills() && skillFiles[uri] != "":
		content = fmt.Sprintf(`{"uri":%q,"mimeType":"text/markdown","text":%s}`, uri, serve.Encode(skillFiles[uri]))
	default:
		code := serve.CodeResourceNotFound
		if c.Modern {
			code = serve.CodeInvalidParams
		}
		data, _ := json.Marshal(map[string]string{"uri": uri})
		return serve.Failure(c.ID, &serve.Error{Code: code, Message: "resource not found", Data: data})
	}
	return c.complete26(`{"contents":[`+content+`]}`, true)
}

// noteOf is the text of a note: those of templates have texts of their own.
func noteOf(uri string) string {
	if templated(uri) {
		return "a note for " + uri
	}
	return "a note"
}

// templated reports whether a URI matches a template.
func templated(uri string) bool {
	for _, start := range []string{"note://numbered/", "note://dated/", "note://named/"} {
		if rest, ok := strings.CutPrefix(uri, start); ok && rest != "" {
			return true
		}
	}
	return false
}

func prompts(*Call) []string {
	return []string{
		`{"name":"greet","description":"Greets someone.","arguments":[{"name":"who","description":"Whom.",` +
			`"required":true}]}`,
		`{"name":"plain","description":"Says something."}`,
		`{"name":"last","description":"Says goodbye."}`,
	}
}

func (c *Call) getPrompt() []byte {
	name, who := text(c.Params, "name"), text(serve.Members(c.Params)["arguments"], "who")
	switch {
	case !slices.Contains([]string{"greet", "plain", "last"}, name):
		return c.fail(serve.CodeInvalidParams, "unknown prompt: %q", name)
	case name == "greet" && who == "":
		return c.fail(serve.CodeInvalidParams, "the argument who is required")
	}
	return c.complete26(fmt.Sprintf(`{"messages":[{"role":"user","content":{"type":"text","text":%s}}]}`,
		serve.Encode("Hello "+who)), false)
}

func (c *Call) complete() []byte {
	ref, argument := serve.Members(c.Params)["ref"], serve.Members(c.Params)["argument"]
	switch {
	case text(ref, "type") == "ref/prompt" && text(ref, "name") == "greet" && text(argument, "name") == "who",
		text(ref, "type") == "ref/resource" && text(ref, "uri") == "note://numbered/{n}" &&
			text(argument, "name") == "n":
		var values []string
		for _, value := range []string{"one", "two"} {
			if strings.HasPrefix(value, text(argument, "value")) {
				values = append(values, string(serve.Encode(value)))
			}
		}
		return c.complete26(fmt.Sprintf(`{"completion":{"values":[%s],"total":%d,"hasMore":false}}`,
			strings.Join(values, ","), len(values)), false)
	}
	return c.fail(serve.CodeInvalidParams, "there is nothing of the kind to complete")
}

func (c *Call) setLevel() []byte {
	level := text(c.Params, "level")
	if !slices.Contains([]string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"},
		level) {
		return c.fail(serve.CodeInvalidParams, "unknown level %q", level)
	}
	c.Peer.mu.Lock()
	defer c.Peer.mu.Unlock()
	c.Peer.level = level
	return c.Result(`{}`)
}
