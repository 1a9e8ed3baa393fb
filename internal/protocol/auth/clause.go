package auth

// A Clause is the part of the specification that a step follows.
type Clause struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

const authorizationPage = "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization"

var clauses = map[Name]Clause{
	Challenge: {"MCP authorization, error handling; RFC 6750, section 3", authorizationPage + "#error-handling"},
	ResourceMetadata: {"MCP authorization, protected resource metadata discovery; RFC 9728, section 3",
		authorizationPage + "#protected-resource-metadata-discovery-requirements"},
	ServerMetadata: {"MCP authorization, authorization server metadata discovery; RFC 8414, section 3",
		authorizationPage + "#authorization-server-metadata-discovery"},
	Registration: {"MCP authorization, client registration; RFC 7591, section 3",
		authorizationPage + "#dynamic-client-registration"},
	Authorization: {"MCP authorization, code protection; RFC 7636, RFC 8707, section 2.1",
		authorizationPage + "#authorization-code-protection"},
	Callback: {"MCP authorization, response validation; RFC 9207, section 2.4",
		authorizationPage + "#authorization-response-validation"},
	Exchange: {"Token exchange: RFC 8693, section 2", "https://www.rfc-editor.org/rfc/rfc8693#section-2"},
	Token: {"MCP authorization, token audience; RFC 6749, section 4.1.3, RFC 8707, section 2.2",
		authorizationPage + "#token-audience-binding-and-validation"},
	Call:    {"MCP authorization, token requirements; RFC 6750, section 2.1", authorizationPage + "#token-requirements"},
	Expired: {"MCP authorization, token handling; RFC 6750, section 3.1", authorizationPage + "#token-handling"},
	Refresh: {"MCP authorization, refresh tokens; RFC 6749, section 6", authorizationPage + "#refresh-tokens"},
}

// Clause returns the part of the specification that the step follows.
func (n Name) Clause() Clause { return clauses[n] }
