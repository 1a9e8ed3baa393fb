package meta

// The schemas that several tools share.
const (
	noInput   = `{"type":"object","properties":{},"additionalProperties":false}`
	nameInput = `{"type":"object","properties":{"name":{"type":"string","minLength":1,"description":"the name of a tool, as the catalog gives it in invoke_as, or server/name"}},"required":["name"],"additionalProperties":false}`
	callInput = `{"type":"object","properties":{"name":{"type":"string","minLength":1,"description":"the name of a tool, as the catalog gives it in invoke_as, or server/name"},"arguments":{"type":"object","description":"the arguments, as describe_tool shows them"}},"required":["name"],"additionalProperties":false}`
	findInput = `{"type":"object","properties":{"filter":{"type":"string","description":"part of a name, or a pattern with *"},"server":{"type":"string"}},"additionalProperties":false}`
	toolShape = `{"type":"object","description":"the tool: what it is and how it is run","properties":{"name":{"type":"string","minLength":1},"server":{"type":"string","description":"the server that it is shown under; none if empty"},"title":{"type":"string"},"description":{"type":"string"},"parameters":{"type":"object","description":"the JSON Schema of its arguments"},"returns":{"type":["object","null"],"description":"the JSON Schema of its result"},"annotations":{"type":"object"},"metadata":{"type":"object"},"tags":{"type":"array","items":{"type":"string"}},"timeout":{"type":"string","description":"such as 30s"},"validators":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","minLength":1},"expression":{"type":"string","description":"jq over the arguments: true if they are fine, a text if not"}},"required":["name"],"additionalProperties":false}},"run":{"type":"object","description":"exactly one of upstream, http and func","properties":{"upstream":{"type":"object","properties":{"server":{"type":"string"},"tool":{"type":"string"}},"required":["server","tool"],"additionalProperties":false},"http":{"type":"object","properties":{"method":{"type":"string"},"url":{"type":"string"},"header":{"type":"object","additionalProperties":{"type":"string"}},"body":{"type":"string"}},"required":["method","url"],"additionalProperties":false},"func":{"type":"string"}},"minProperties":1,"maxProperties":1,"additionalProperties":false}},"required":["name","run"],"additionalProperties":false}`
)

// tools are the meta-tools, in the order in which they are listed.
var tools = []Tool{
	{Name: "catalog_search", reads: true, title: "Search tools",
		doc:    "Find tools by what they do, across all servers behind this gateway: %s. Give several queries for a task with several steps. Results are ranked; describe_tool shows how to call one, invoke_tool calls it.",
		schema: `{"type":"object","properties":{"query":{"type":"string","description":"what the tool should do; \"quoted words\" stand together"},"queries":{"type":"array","items":{"type":"string"},"maxItems":20,"description":"several needs at once"},"server":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"limit":{"type":"integer","minimum":1,"maximum":100,"default":10}},"anyOf":[{"required":["query"]},{"required":["queries"]}],"additionalProperties":false}`,
		run:    search},
	{Name: "catalog_list", reads: true, title: "List tools",
		doc:    "List the tools of the catalog with version, description and schemas; brief leaves the schemas out. An answer with next_cursor has more to come: pass it as cursor.",
		schema: `{"type":"object","properties":{"filter":{"type":"string","description":"part of a name, or a pattern with *; case does not matter"},"server":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"annotations":{"type":"array","items":{"type":"string"},"description":"such as readOnlyHint=true"},"brief":{"type":"boolean","default":false},"limit":{"type":"integer","minimum":1,"description":"how many at most; all if not said"},"cursor":{"type":"string","minLength":1,"description":"next_cursor of the answer before, with the same filter"}},"additionalProperties":false}`,
		run:    list},
	{Name: "describe_tool", reads: true, title: "Describe a tool", doc: "Show a tool in full: description, parameters, result, annotations, version.", schema: nameInput, run: describe},
	{Name: InvokeTool, title: "Invoke a tool", doc: "Call a tool of the catalog. Its arguments are validated first; the result is the tool's own.", schema: callInput, run: call},
	{Name: "validate_tool", reads: true, title: "Validate arguments", doc: "Check arguments for a tool without calling it: PASS or FAIL, every error, and what each validator says.", schema: callInput, run: validate},
	{Name: "register_tool", manage: true, title: "Register a tool", doc: "Add a tool to the catalog. It can be listed, found and invoked at once.",
		schema: `{"type":"object","properties":{"tool":` + toolShape + `},"required":["tool"],"additionalProperties":false}`, run: register},
	{Name: "update_tool", manage: true, title: "Update a tool", doc: "Replace a tool's definition. The version is the one that you saw; if the tool has changed since, nothing happens.",
		schema: `{"type":"object","properties":{"tool":` + toolShape + `,"version":{"type":"integer","minimum":1,"description":"the version that the update is made for"}},"required":["tool","version"],"additionalProperties":false}`, run: update},
	{Name: "remove_tool", manage: true, title: "Remove a tool", doc: "Take a registered tool out of the catalog.", schema: nameInput, run: remove},
	{Name: "describe_server", reads: true, title: "Describe a server", doc: "Show a server behind the gateway: state, what it says about itself, the names of its tools.",
		schema: `{"type":"object","properties":{"server":{"type":"string","minLength":1}},"required":["server"],"additionalProperties":false}`, run: describeServer},
	{Name: "search_servers", reads: true, title: "Search servers", doc: "List the servers behind the gateway whose name, or a tool of which, fits the query; all without one.",
		schema: `{"type":"object","properties":{"query":{"type":"string"}},"additionalProperties":false}`, run: searchServers},
	{Name: "catalog_resources", reads: true, title: "List resources", doc: "List the resources and resource templates of the servers behind the gateway.", schema: findInput, run: resources},
	{Name: "catalog_prompts", reads: true, title: "List prompts", doc: "List the prompts of the servers behind the gateway.", schema: findInput, run: prompts},
	{Name: "health", reads: true, title: "Health", doc: "How the gateway and the servers behind it are doing.", schema: noInput, run: health},
}
