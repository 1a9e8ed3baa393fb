package zoo

// status is a server over HTTP that answers every POST in this way.
func status(steps string) string {
	return "on *\n\t" + steps + "\non notifications/initialized\n\t" + steps
}

// statuses are HTTP servers whose answers are no answers.
func statuses() []Server {
	servers := []Server{
		{Name: "html", Defect: "answers with a page", Script: status("header Content-Type: text/html\n\twrite \"<html><body>Welcome</body></html>\""),
			Sight: Sight{Connect: "HTTP 200 OK, a web page", Hint: "is this an MCP endpoint?"}},
		{Name: "202-to-request", Defect: "answers a request with 202", Script: status("status 202"),
			Sight: Sight{Connect: "HTTP 202", Hint: "gave no JSON-RPC answer"}},
		{Name: "204-to-request", Defect: "answers a request with 204", Script: status("status 204"),
			Sight: Sight{Connect: "HTTP 204", Hint: "gave no JSON-RPC answer"}},
		{Name: "401-oauth", Defect: "wants authorization", Script: status("status 401\n\theader WWW-Authenticate: Bearer resource_metadata=\"x\"\n\tsend {\"error\":\"invalid_token\"}"),
			Sight: Sight{Connect: "HTTP 401", Hint: "Bearer resource_metadata", Auto: true}},
		{Name: "403", Defect: "refuses us", Script: status("status 403\n\tsend {\"error\":\"forbidden\"}"), Sight: Sight{Connect: "HTTP 403", Hint: "token", Auto: true}},
		{Name: "404-empty", Defect: "is not there", Script: status("status 404"), Sight: Sight{Connect: "HTTP 404", Hint: "is the path right?", Auto: true}},
		{Name: "404-json", Defect: "is not there, in JSON", Script: status("status 404\n\tsend {\"detail\":\"Not Found\"}"),
			Sight: Sight{Connect: "Not Found", Hint: "is the path right?", Auto: true}},
		{Name: "405", Defect: "takes no POST", Script: status("status 405"), Sight: Sight{Connect: "HTTP 405", Hint: "takes no POST", Auto: true}},
		{Name: "429", Defect: "is busy", Script: status("status 429\n\theader Retry-After: 7"), Sight: Sight{Connect: "HTTP 429", Hint: "after 7", Auto: true}},
		{Name: "500", Defect: "fails", Script: status("status 500\n\twrite \"oops\""), Sight: Sight{Connect: `"oops"`, Hint: "its own log", Auto: true}},
		{Name: "503", Defect: "is down", Script: status("status 503"), Sight: Sight{Connect: "HTTP 503", Hint: "try again later", Auto: true}},
		{Name: "redirect-loop", Defect: "redirects to itself", Script: status("status 307\n\theader Location: /"), Sight: Sight{Connect: "more than 3 redirects", Auto: true}},
		{Name: "redirect-away", Defect: "redirects to another origin", Script: status("status 307\n\theader Location: http://localhost:1/"),
			Sight: Sight{Connect: "redirected to another origin, http://localhost:1", Auto: true}},
		{Name: "redirect-to-get", Defect: "turns the POST into a GET", Script: status("status 302\n\theader Location: /there"),
			Sight: Sight{Connect: "redirected to /there, which turns the POST into a GET"}},
		{Name: "session-lost", Defect: "forgets the session", Script: but("on initialize\n\theader Mcp-Session-Id: s1\n\t"+
			`result {"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}`, "on tools/call\n\tstatus 404"),
			Sight: Sight{Call: "HTTP 404", Hint: "connect again"}},
		{Name: "wrong-content-type", Defect: "calls its JSON text", Script: called("header Content-Type: text/plain", "result {}"),
			Sight: Sight{Notice: `Content-Type is "text/plain"`}},
		{Name: "400-to-notification", Defect: "refuses notifications", Script: but("on notifications/initialized\n\tstatus 400"),
			Sight: Sight{Notice: "HTTP 400 in answer to a message that wants no answer"}},
		{Name: "hangs-up", Defect: "hangs up without an answer", Script: called("cut"),
			Sight: Sight{Call: "whether the call was carried out is unknown"}},
		{Name: "short-body", Defect: "promises more than it sends", Script: called("header Content-Length: 5000", "header Content-Type: application/json",
			`write "{\"jsonrpc\":\"2.0\",\"id\":$id,\"resu"`, "cut"), Sight: Sight{Call: "is unknown", Frame: `"resu`}},
	}
	for i := range servers {
		servers[i].HTTP = true
	}
	return servers
}
