package metatools

// The schemas that several tools share.
const (
	noInput   = `{"type":"object","properties":{},"additionalProperties":false}`
	nameInput = `{"type":"object","properties":{"name":{"type":"string","minLength":1,"description":"the name of a ` +
		`tool, as returned in invoke_as, or server/name"}},"required":["name"],"additionalProperties":false}`
	callInput = `{"type":"object","properties":{"name":{"type":"string","minLength":1,"description":"the name of a ` +
		`tool, as returned in invoke_as, or server/name"},"arguments":{"type":"object","description":"the arguments, ` +
		`as described by describe_tool"}},"required":["name"],"additionalProperties":false}`
	findInput = `{"type":"object","properties":{"filter":{"type":"string","description":"part of a name, or a ` +
		`pattern with *"},"server":{"type":"string"}},"additionalProperties":false}`
	toolShape = `{"type":"object","description":"the tool definition and how to run it",` +
		`"properties":{"name":{"type":"string","minLength":1},"server":{"type":"string","description":"the server ` +
		`that it is listed under; none if empty"},"title":{"type":"string"},"description":{"type":"string"},` +
		`"parameters":{"type":"object","description":"the JSON Schema of its arguments"},"returns":{"type":["object",` +
		`"null"],"description":"the JSON Schema of its result"},"annotations":{"type":"object"},` +
		`"metadata":{"type":"object"},"tags":{"type":"array","items":{"type":"string"}},"timeout":{"type":"string",` +
		`"description":"such as 30s"},"validators":{"type":"array","items":{"type":"object",` +
		`"properties":{"name":{"type":"string","minLength":1},"expression":{"type":"string","description":"jq ` +
		`expression over the arguments: true if they are valid, otherwise an error message"}},"required":["name"],` +
		`"additionalProperties":false}},"run":{"type":"object","description":"exactly one of upstream, http and ` +
		`func","properties":{"upstream":{"type":"object","properties":{"server":{"type":"string"},` +
		`"tool":{"type":"string"}},"required":["server","tool"],"additionalProperties":false},` +
		`"http":{"type":"object","properties":{"method":{"type":"string"},"url":{"type":"string"},` +
		`"header":{"type":"object","additionalProperties":{"type":"string"}},"body":{"type":"string"}},` +
		`"required":["method","url"],"additionalProperties":false},"func":{"type":"string"}},"minProperties":1,` +
		`"maxProperties":1,"additionalProperties":false}},"required":["name","run"],"additionalProperties":false}`
)

// tools are the meta-tools, in the order in which they are listed.
var tools = []Tool{
	{Name: "catalog_search", reads: true, title: "Search tools",
		doc: "Find tools by what they do, across all servers behind this gateway: %s. Pass several queries for a " +
			"task with several steps. Results are ranked. Use describe_tool to see how to call a tool, and " +
			"invoke_tool to call it.",
		schema: `{"type":"object","properties":{"query":{"type":"string","description":"what the tool should do; ` +
			`\"quoted words\" must be adjacent"},"queries":{"type":"array","items":{"type":"string"},"maxItems":20,` +
			`"description":"several needs at once"},"server":{"type":"string"},"tags":{"type":"array",` +
			`"items":{"type":"string"}},"limit":{"type":"integer","minimum":1,"maximum":100,"default":10}},` +
			`"anyOf":[{"required":["query"]},{"required":["queries"]}],"additionalProperties":false}`,
		run: search},
	{Name: "catalog_list", reads: true, title: "List tools",
		doc: "List the tools of the catalog with version, description and schemas; brief omits the schemas. If " +
			"the response has next_cursor, there are more tools: pass it as cursor.",
		schema: `{"type":"object","properties":{"filter":{"type":"string","description":"part of a name, or a ` +
			`pattern with *; case is ignored"},"server":{"type":"string"},"tags":{"type":"array",` +
			`"items":{"type":"string"}},"annotations":{"type":"array","items":{"type":"string"},"description":"such ` +
			`as readOnlyHint=true"},"brief":{"type":"boolean","default":false},"limit":{"type":"integer","minimum":1,` +
			`"description":"maximum number of tools; default: all"},"cursor":{"type":"string","minLength":1,` +
			`"description":"next_cursor of the previous response, with the same filter"}},"additionalProperties":false}`,
		run: list},
	{Name: "describe_tool", reads: true, title: "Describe a tool",
		doc: "Show a tool in full: description, parameters, result, annotations, version.", schema: nameInput,
		run: describe},
	{Name: InvokeTool, title: "Invoke a tool", doc: "Call a tool of the catalog. Its arguments are validated first. " +
		"Returns the result of the tool unchanged.", schema: callInput, run: call},
	{Name: "validate_tool", reads: true, title: "Validate arguments",
		doc: "Check arguments for a tool without calling it: PASS or FAIL, all errors, and the result of each " +
			"validator.", schema: callInput, run: validate},
	{Name: "register_tool", manage: true, title: "Register a tool",
		doc: "Add a tool to the catalog. It can be listed, found and invoked immediately.",
		schema: `{"type":"object","properties":{"tool":` + toolShape +
			`},"required":["tool"],"additionalProperties":false}`, run: register},
	{Name: "update_tool", manage: true, title: "Update a tool",
		doc: "Replace a tool's definition. Pass the version you read; the update fails if the tool has changed since " +
			"(optimistic locking).",
		schema: `{"type":"object","properties":{"tool":` + toolShape +
			`,"version":{"type":"integer","minimum":1,"description":"the version that the update is based on"}},` +
			`"required":["tool","version"],"additionalProperties":false}`, run: update},
	{Name: "remove_tool", manage: true, title: "Remove a tool", doc: "Remove a registered tool from the catalog.",
		schema: nameInput, run: remove},
	{Name: "describe_server", reads: true, title: "Describe a server",
		doc: "Show a server behind the gateway: state, server information, the names of its tools.",
		schema: `{"type":"object","properties":{"server":{"type":"string","minLength":1}},"required":["server"],` +
			`"additionalProperties":false}`, run: describeServer},
	{Name: "search_servers", reads: true, title: "Search servers",
		doc:    "List the servers behind the gateway whose name or tools match the query; without a query, all servers.",
		schema: `{"type":"object","properties":{"query":{"type":"string"}},"additionalProperties":false}`,
		run:    searchServers},
	{Name: "catalog_resources", reads: true, title: "List resources",
		doc: "List the resources and resource templates of the servers behind the gateway.", schema: findInput,
		run: resources},
	{Name: "catalog_prompts", reads: true, title: "List prompts",
		doc: "List the prompts of the servers behind the gateway.", schema: findInput, run: prompts},
	{Name: "health", reads: true, title: "Health", doc: "Health of the gateway and its upstream servers.",
		schema: noInput, run: health},
}
