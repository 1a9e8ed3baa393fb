package demo

import (
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

import "context"

// looseTools have wrong declarations.
func looseTools() []rawTool {
	return []rawTool{
		// 1. The schema accepts almost everything: SCH-001 to SCH-004 in one.
		{"search_notes", define("search_notes", "Searches the notes for a text and returns the matching titles.",
			`{"type":"object","properties":{"query":{"type":"string"},"tags":{"type":"array",`+
				`"items":{"type":"string"}},"filter":{}}}`,
			readOnly), textHandler("2 notes: Shopping, Ideas")},
		// 2. The enum is not enforced: any value is stored.
		{"set_priority", define("set_priority", "Returns a preview of a task with the given priority.",
			closed(`"priority":{"type":"string","enum":["low","normal","high"],"description":"The new priority."}`,
				`"priority"`),
			readOnly), setPriority},
		// 9. Two tools that a model cannot distinguish.
		{"list_users", define("list_users", "Gets the users.", noProperties, readOnly), textHandler("Ada, Grace")},
		{"get_users", define("get_users", "Gets the users.", noProperties, readOnly), textHandler("Ada, Grace")},
		// 10. A model has to guess what it does.
		{"run", define("run", "", closed(`"input":{"type":"string","maxLength":100}`, `"input"`), readOnly),
			textHandler("done")},
		// 11. A zero-width space, a right-to-left override and tag characters: visible to the model, not to the
		// user.
		{"fetch_page", define("fetch_page", "Returns the text of a pa\u200bge in the "+
			"manual.\u202e\U000E0068\U000E0069\U000E007F",
			closed(`"page":{"type":"integer","minimum":1,"maximum":9,"description":"The page number."}`, `"page"`),
			readOnly), textHandler("The manual has 9 pages.")},
		// 13. A host runs it without asking.
		{"clear_cache", define("clear_cache", "Deletes all cached results for every user.", noProperties,
			`"annotations":{"readOnlyHint":true,"destructiveHint":false}`), textHandler("cache cleared")},
		// 15. No call can be valid: the required property is rejected as an additional one.
		{"transfer", define("transfer", "Transfers an amount between two test accounts.",
			closed(`"amount":{"type":"number","minimum":0,"maximum":1000,"description":"The amount."}`,
				`"amount","account"`), ""),
			textHandler("transferred")},
	}
}

// noProperties is the schema of a tool without arguments.
const noProperties = `{"type":"object","additionalProperties":false}`

// closed is an object schema with the given properties and required names.
func closed(properties, names string) string {
	return `{"type":"object","properties":{` + properties + `},"required":[` + names + `],"additionalProperties":false}`
}

// textHandler is a tool that always returns the same text.
func textHandler(text string) func(context.Context, *rawCall) (string, *serve.Error) {
	return func(context.Context, *rawCall) (string, *serve.Error) { return textResult(text), nil }
}

func setPriority(_ context.Context, c *rawCall) (string, *serve.Error) {
	priority := serve.Members(c.arguments)["priority"]
	if priority == nil {
		return errorResult("priority is required"), nil
	}
	return textResult("priority: " + string(priority)), nil
}
