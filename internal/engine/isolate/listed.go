package isolate

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// tool returns the calls of a tool; nil if it may not be called.
func (p *pair) tool(item mcp.Item) *subject {
	may := p.opts.May(item.Raw)
	if may.Calls == 0 {
		p.report.notCalled(item.Name, may.Why)
		return nil
	}
	input, _ := schema.Get(item.Raw, "/inputSchema")
	compiled, err := schema.Compile(input, nil)
	if err != nil {
		p.report.notCalled(item.Name, "its inputSchema is invalid")
		return nil
	}
	arguments, err := compiled.Sample(&schema.SampleOptions{Style: schema.Typical})
	if err != nil {
		p.report.notCalled(item.Name, "no arguments could be generated")
		return nil
	}
	support := schema.TextAt(item.Raw, "/execution/taskSupport")
	s := &subject{calls: may.Calls, tasks: support == "optional" || support == "required"}
	for _, pointer := range argumentPaths(input, arguments) {
		changed, err := schema.Apply(arguments, []finding.Edit{{Pointer: pointer,
			Value: json.RawMessage(`"` + strings.Repeat("x", canaryLength) + `"`)}})
		if err != nil || len(compiled.Validate(changed)) > 0 || len(s.forms) == maxForms {
			continue
		}
		changed, _ = schema.Apply(changed, []finding.Edit{{Pointer: pointer,
			Value: json.RawMessage(`"` + placeholder + `"`)}})
		s.forms = append(s.forms, mcp.Object("name", item.Name, "arguments", changed))
	}
	s.forms = append(s.forms, mcp.Object("name", item.Name, "arguments", arguments))
	return s
}

// argumentPaths lists where the arguments of a tool may have a canary: its properties, and the strings in them.
func argumentPaths(input, arguments json.RawMessage) []string {
	var all []string
	properties, _ := schema.Get(input, "/properties")
	members, _ := schema.Members(properties)
	for _, m := range members {
		pointer := "/" + schema.Token(m.Name)
		all = append(all, pointer)
		if value, ok := schema.Get(arguments, pointer); ok {
			all = append(all, stringsIn(value, pointer)...)
		}
	}
	return all
}

// stringsIn lists the strings inside a value.
func stringsIn(value json.RawMessage, pointer string) []string {
	var all []string
	inside := func(token string, value json.RawMessage) {
		if at := pointer + "/" + token; value[0] == '"' {
			all = append(all, at)
		} else {
			all = append(all, stringsIn(value, at)...)
		}
	}
	var elements []json.RawMessage
	if json.Unmarshal(value, &elements) == nil {
		for i, element := range elements {
			inside(strconv.Itoa(i), element)
		}
		return all
	}
	members, _ := schema.Members(value)
	for _, m := range members {
		inside(schema.Token(m.Name), m.Value)
	}
	return all
}

// prompt returns the requests of a prompt; nil if it may not be requested.
func (p *pair) prompt(item mcp.Item) *subject {
	if why := (safety.Permit{}).Prompt(item.Raw); why != "" && p.opts.May(item.Raw).Calls == 0 {
		p.report.notCalled(item.Name, why)
		return nil
	}
	list, _ := schema.Get(item.Raw, "/arguments")
	var arguments []struct {
		Name     string `json:"name"`
		Required bool   `json:"required"`
	}
	_ = json.Unmarshal(list, &arguments) // a wrong list has no arguments
	values := map[string]string{}
	for i, a := range arguments {
		if i == 0 {
			values[a.Name] = placeholder
		} else if a.Required {
			values[a.Name] = "example"
		}
	}
	form, _ := json.Marshal(map[string]any{"name": item.Name, "arguments": values}) // strings always marshal
	return &subject{calls: many, forms: []json.RawMessage{form}}
}

func resource(item mcp.Item) *subject {
	return &subject{calls: many, forms: []json.RawMessage{mcp.Object("uri", item.Name)}}
}

// many is the limit for requests that call no tool.
const many = 1000

var variable = regexp.MustCompile(`\{[+#./;?&]?([A-Za-z0-9_]+)\*?\}`)

// template returns the reads of a resource template. Only simple variables are expanded.
func template(item mcp.Item) *subject {
	first := true
	uri := variable.ReplaceAllStringFunc(item.Name, func(string) string {
		if first {
			first = false
			return placeholder
		}
		return "1"
	})
	if first || strings.ContainsAny(strings.ReplaceAll(uri, placeholder, ""), "{}") {
		return nil
	}
	return &subject{calls: many, forms: []json.RawMessage{mcp.Object("uri", uri)}}
}
