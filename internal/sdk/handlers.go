package sdk

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// decidedBy names the method whose handler decides whether a rule is violated. With the high-level API of an SDK, that
// handler belongs to the SDK; with the low-level one, the author writes it. The rules about cursors are not here: the
// examples of all SDKs ignore the cursor of a list that has one page.
var decidedBy = map[string]string{
	"TOOL-019": "tools/list", "TOOL-009": "tools/call", "TOOL-015": "tools/call", "RES-007": "resources/read",
	"PROMPT-007": "prompts/get", "PROMPT-008": "prompts/get",
}

// Handlers of the author, as the low-level APIs of the SDKs name them. Decorators of the Python SDK before 2 are none:
// that SDK evaluates the request and passes on a part of it.
var (
	nodeHandler   = lazyregexp.New(`\bsetRequestHandler\(\s*(?:\w+\.)?(?:["']([a-z/]+)["']|(\w+)RequestSchema\b)`)
	pythonHandler = lazyregexp.New(`\bon_([a-z]+_[a-z_]+)[ \t]*=`)
)

var handledMethods = map[string]string{
	"ListTools": "tools/list", "CallTool": "tools/call", "ReadResource": "resources/read", "GetPrompt": "prompts/get",
	"list_tools": "tools/list", "call_tool": "tools/call", "read_resource": "resources/read", "get_prompt": "prompts/get",
}

// addHandled adds the methods that a file handles itself.
func addHandled(methods map[string]bool, found [][]string) {
	for _, m := range found {
		name := strings.Join(m[1:], "")
		if method := handledMethods[name]; method != "" {
			name = method
		}
		methods[name] = true
	}
}

// handles returns the SDK with the methods that the author's code handles itself.
func (s *SDK) handles(methods map[string]bool) *SDK {
	if s != nil {
		s.handled = strings.Join(slices.Sorted(maps.Keys(methods)), " ")
	}
	return s
}

// isAuthors reports whether a handler of the author decides a rule.
func (s *SDK) isAuthors(rule string) bool {
	method := decidedBy[rule]
	return method != "" && slices.Contains(strings.Fields(s.handled), method)
}
