package advice

// A topic is one change that fixes the findings of several rules.
type topic struct {
	rules    []string
	fix      string
	snippets map[string]string
}

func in(python, typescript, golang string) map[string]string {
	return map[string]string{"python": python, "typescript": typescript, "go": golang}
}

// topics cover the rules that have findings most often on real servers.
var topics = []topic{
	{[]string{"SCH-001"}, "list the properties that a call must have in required, and give the others a default", in(
		"def search(query: str, limit: int = 10) -> str: ...  # parameters without a default are required",
		"inputSchema: { query: z.string(), limit: z.number().int().default(10) }  // without .optional() or "+
			".default() it is required",
		"type In struct {\n\tQuery string `json:\"query\"` // without omitempty it is required\n\tLimit int "+
			"`json:\"limit,omitempty\"`\n}")},
	{[]string{"SCH-002", "SPEC-014"}, "set additionalProperties to false, so that misspelled arguments are rejected",
		in(
			"class In(BaseModel):\n    model_config = ConfigDict(extra=\"forbid\")",
			"inputSchema: z.strictObject({ query: z.string() })",
			"schema, err := jsonschema.For[In](nil)\nschema.AdditionalProperties = &jsonschema.Schema{Not: "+
				"&jsonschema.Schema{}}")},
	{[]string{"SCH-003", "gemini/typeless-branch"}, "give the property a type, or an anyOf of types", in(
		"def save(value: str | int) -> str: ...  # not Any, not an unannotated parameter",
		"value: z.union([z.string(), z.number()])  // not z.any() or z.unknown()",
		"Value string `json:\"value\"` // not any or json.RawMessage")},
	{[]string{"SCH-004"}, "add maxLength to strings and maxItems to arrays", in(
		"query: Annotated[str, Field(max_length=200)], tags: Annotated[list[str], Field(max_length=20)]",
		"query: z.string().max(200), tags: z.array(z.string()).max(20)",
		"schema.Properties[\"query\"].MaxLength = jsonschema.Ptr(200)\nschema.Properties[\"tags\"].MaxItems = "+
			"jsonschema.Ptr(20)")},
	{[]string{"SPEC-022", "TOOL-024", "QUAL-001", "QUAL-002", "QUAL-011", "QUAL-015"},
		"describe what the tool does, when to use it and what it returns", in(
			"@mcp.tool()\ndef search(query: str) -> str:\n    \"\"\"Search notes by text. Use it to find a note "+
				"before reading it. Returns IDs and titles.\"\"\"",
			"server.registerTool(\"search\", { description: \"Search notes by text. Returns IDs and titles.\", "+
				"inputSchema }, handler)",
			"mcp.AddTool(server, &mcp.Tool{Name: \"search\", Description: \"Search notes by text. Returns IDs and "+
				"titles.\"}, handler)")},
	{[]string{"QUAL-003"}, "describe the parameter: meaning, format, example", in(
		"date: Annotated[str, Field(description=\"day, as YYYY-MM-DD\")]",
		"date: z.string().describe(\"day, as YYYY-MM-DD\")",
		"Date string `json:\"date\" jsonschema:\"day, as YYYY-MM-DD\"`")},
	{[]string{"QUAL-007"}, "use a default that is valid for the schema of the parameter, or omit it", in(
		"limit: int | None = None  # not: limit: int = None",
		"limit: z.number().int().optional()  // not .default(null)",
		"schema.Properties[\"limit\"].Default = json.RawMessage(`10`)")},
	{[]string{"copilot/array-items"}, "give every array an items schema", in(
		"tags: list[str]  # not: tags: list", "tags: z.array(z.string())  // not z.array(z.any())",
		"Tags []string `json:\"tags\"` // not []any")},
	{[]string{"gemini/enum-string"}, "use an enum of strings, and convert it in the handler", in(
		"size: Literal[\"1\", \"2\", \"4\"]  # int(size) in the function",
		"size: z.enum([\"1\", \"2\", \"4\"])  // Number(size) in the handler",
		"Size string `json:\"size\"` // schema.Properties[\"size\"].Enum = []any{\"1\", \"2\", \"4\"}")},
	{[]string{"cursor/tool-count"}, "offer fewer tools: merge related ones, or let users select a group with an option",
		in(
			"if \"admin\" in groups:\n    mcp.tool()(delete_user)",
			"if (groups.has(\"admin\")) server.registerTool(\"delete_user\", config, handler)",
			"if groups[\"admin\"] {\n\tmcp.AddTool(server, deleteUser, handler)\n}")},
	{[]string{"STDIO-001", "FUZZ-016"}, "write logs to stderr; stdout is for messages only", in(
		"print(\"listing tools\", file=sys.stderr)", "console.error(\"listing tools\")  // not console.log",
		"log.Println(\"listing tools\") // writes to stderr; not fmt.Println")},
	{[]string{"LIFE-006"}, "set the name and the version of the server", in(
		"mcp = FastMCP(\"notes\", version=\"1.4.0\")", "new McpServer({ name: \"notes\", version: \"1.4.0\" })",
		"mcp.NewServer(&mcp.Implementation{Name: \"notes\", Version: \"1.4.0\"}, nil)")},
	{[]string{"TOOL-010", "TOOL-011", "FUZZ-004"}, "validate arguments against the inputSchema before the tool runs",
		in(
			"@mcp.tool()\ndef search(query: str, limit: int) -> str: ...  # typed parameters are validated; not "+
				"**kwargs "+
				"or dict",
			"server.registerTool(\"search\", { inputSchema: { query: z.string() } }, handler)  // zod validates; "+
				"setRequestHandler does not",
			"mcp.AddTool(server, tool, handler) // validates; server.AddTool does not")},
	{[]string{"TOOL-013", "TOOL-015", "FUZZ-006"},
		"return structuredContent that matches the outputSchema, and the same JSON as a text block", in(
			"def weather(town: str) -> Weather:  # a Pydantic model becomes schema and result\n    return "+
				"Weather(temperature=21, humidity=40)",
			"return { structuredContent: data, content: [{ type: \"text\", text: JSON.stringify(data) }] }",
			"func weather(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) // "+
				"Out "+
				"becomes both")},
	{[]string{"FUZZ-014"}, "check the value before it is used, or catch the exception and return what the caller can change", in(
		"if name not in jobs:\n    raise ToolError(f\"no job {name!r}\")",
		"if (!jobs.has(name)) return { isError: true, content: [{ type: \"text\", text: `no job ${name}` }] }",
		"job, ok := jobs[in.Name]\nif !ok {\n\treturn nil, Out{}, fmt.Errorf(\"no job %q\", in.Name)\n}")},
	{[]string{"FUZZ-015"}, "accept every value that the schema allows, or state the limit of the code in the schema", in(
		"limit: Annotated[int, Field(le=50)]  # and in the code: if limit > 50, not >= 50",
		"limit: z.number().int().max(50) // and in the code: if (limit > 50), not >= 50",
		"if in.Limit > 50 { // as the schema says: \"maximum\": 50")},
	{[]string{"FUZZ-001", "FUZZ-009"},
		"catch exceptions in the handler and return them as an error result", in(
			"try:\n    return divide(a, b)\nexcept ZeroDivisionError:\n    raise ToolError(\"b must not be 0\")",
			"try { … } catch (e) { return { isError: true, content: [{ type: \"text\", text: \"b must not be 0\" }] } }",
			"if in.B == 0 {\n\treturn nil, Out{}, errors.New(\"b must not be 0\")\n}")},
	{[]string{"FUZZ-002"}, "set a timeout for the work and for every request to other services, and release locks and connections " +
		"also if a call fails", in(
		"async with asyncio.timeout(20):\n    ...", "await fetch(url, { signal: AbortSignal.timeout(20_000) })",
		"ctx, cancel := context.WithTimeout(ctx, 20*time.Second)\ndefer cancel()")},
	{[]string{"FUZZ-005", "FUZZ-008"}, "report failures of the tool as a result with isError, and invalid arguments " +
		"with -32602", in(
		"raise ToolError(\"no note with this ID\")",
		"return { isError: true, content: [{ type: \"text\", text: \"no note with this ID\" }] }",
		"return nil, Out{}, fmt.Errorf(\"no note with ID %q\", in.ID)")},
	{[]string{"FUZZ-007"}, "return a message for the caller; log the exception with its trace", in(
		"mcp = FastMCP(\"notes\", mask_error_details=True)",
		"catch (e) { console.error(e); return { isError: true, content: [{ type: \"text\", text: \"lookup failed\" "+
			"}] } }",
		"log.Print(err)\nreturn nil, Out{}, errors.New(\"lookup failed\")")},
	{[]string{"HTTP-004", "HTTP-005"}, "reject requests with a foreign Origin or Host with 403", in(
		"mcp.run(transport=\"http\", host_origin_protection=True)  # FastMCP; in the package mcp:\n"+
			"TransportSecuritySettings(enable_dns_rebinding_protection=True, allowed_hosts=[\"localhost:*\"])",
		"new StreamableHTTPServerTransport({ enableDnsRebindingProtection: true, allowedHosts: [\"localhost:3000\"] })",
		"http.NewCrossOriginProtection().Handler(handler)")},
}
