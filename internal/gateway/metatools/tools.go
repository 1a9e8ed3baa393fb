package metatools

// The schemas that several tools share.
const (
	noInput   = `{"type":"object","properties":{},"additionalProperties":false}`
	nameInput = `{"type":"object","properties":{"name":{"type":"string","description":"invoke_as of ` +
		`a tool, or server/name"}},"required":["name"],"additionalProperties":false}`
	callInput = `{"type":"object","properties":{"name":{"type":"string","description":"invoke_as of ` +
		`a tool, or server/name"},"arguments":{"type":"object"}},"required":["name"],"additionalProperties":false}`
	findInput = `{"type":"object","properties":{"filter":{"type":"string","description":"part of a name, or ` +
		`with *"},"server":{"type":"string"}},"additionalProperties":false}`
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
	{Name: "catalog_search", reads: true, textOnly: true,
		doc: "Find tools by what they do, on these servers: %s. Call one with invoke_tool and its invoke_as; " +
			"describe_tool shows its whole schema.",
		schema: `{"type":"object","properties":{"query":{"type":"string","description":"what the tool should do; ` +
			`\"quoted words\" are adjacent"},"queries":{"type":"array","items":{"type":"string"},"maxItems":20,` +
			`"description":"one for each step of a task"},"server":{"type":"string"},"tags":{"type":"array",` +
			`"items":{"type":"string"}},"limit":{"type":"integer","minimum":1,"maximum":100,"default":5}},` +
			`"additionalProperties":false}`,
		run: search},
	{Name: "catalog_list", reads: true, textOnly: true,
		doc: "List tools. A long list is brief: without schemas, and in pages; pass next_cursor as cursor for " +
			"the next one.",
		schema: `{"type":"object","properties":{"filter":{"type":"string","description":"part of a name, or ` +
			`with *"},"server":{"type":"string"},"tags":{"type":"array",` +
			`"items":{"type":"string"}},"annotations":{"type":"array","items":{"type":"string"},"description":"such ` +
			`as readOnlyHint=true"},"brief":{"type":"boolean","description":"without schemas"},` +
			`"limit":{"type":"integer","minimum":1},"cursor":{"type":"string"}},"additionalProperties":false}`,
		run: list},
	{Name: "describe_tool", reads: true, textOnly: true,
		doc: "Show the whole definition of a tool.", schema: nameInput,
		run: describe},
	{Name: InvokeTool, doc: "Call a tool. Its arguments are validated first; its " +
		"result is returned unchanged.", schema: callInput, run: call},
	{Name: "validate_tool", reads: true,
		doc: "Validate arguments for a tool without calling it.", schema: callInput, run: validate},
	{Name: "register_tool", manage: true,
		doc: "Add a tool to the catalog.",
		schema: `{"type":"object","properties":{"tool":` + toolShape +
			`},"required":["tool"],"additionalProperties":false}`,
		listed: `{"type":"object","properties":{"tool":{"type":"object","description":"name, description, parameters ` +
			`and returns (JSON Schemas), and run: {upstream: {server, tool}}, {http: {method, url, header, body}} or ` +
			`{func}; optional: server, title, annotations, metadata, tags, timeout (30s), validators: [{name, ` +
			`expression (jq)}]"}},"required":["tool"]}`, run: register},
	{Name: "update_tool", manage: true,
		doc: "Replace a tool. Fails if it has another version than the one that you read.",
		schema: `{"type":"object","properties":{"tool":` + toolShape +
			`,"version":{"type":"integer","minimum":1}},"required":["tool","version"],"additionalProperties":false}`,
		listed: `{"type":"object","properties":{"tool":{"type":"object","description":"as for register_tool"},` +
			`"version":{"type":"integer","minimum":1}},"required":["tool","version"]}`,
		run: update},
	{Name: "remove_tool", manage: true, doc: "Remove a registered tool from the catalog.",
		schema: nameInput, run: remove},
	{Name: "describe_server", reads: true,
		doc: "Show the state, information and tool names of a server.",
		schema: `{"type":"object","properties":{"server":{"type":"string"}},"required":["server"],` +
			`"additionalProperties":false}`, run: describeServer},
	{Name: "search_servers", reads: true, textOnly: true,
		doc:    "List the servers whose name or tools match the query, or all.",
		schema: `{"type":"object","properties":{"query":{"type":"string"}},"additionalProperties":false}`,
		run:    searchServers},
	{Name: "catalog_resources", reads: true, textOnly: true,
		doc: "List resources and resource templates.", schema: findInput,
		run: resources},
	{Name: "catalog_prompts", reads: true, textOnly: true,
		doc: "List prompts.", schema: findInput, run: prompts},
	{Name: "health", reads: true, doc: "Health of the gateway and its servers.",
		schema: noInput, run: health},
}
