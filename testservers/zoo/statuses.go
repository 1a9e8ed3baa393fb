package zoo

// status is an HTTP server that responds to every POST with these steps.
func status(steps string) string {
	return "on *\n\t" + steps + "\non notifications/initialized\n\t" + steps
}

// statuses are HTTP servers with invalid responses.
func statuses() []Server {
	servers := []Server{
		{Name: "html", Defect: "responds with HTML",
			Script: status("header Content-Type: text/html\n\twrite \"<html><body>Welcome</body></html>\""),
			Sight:  Sight{Connect: "HTTP 200 OK, a web page", Hint: "check that this is an MCP endpoint"}},
		{Name: "202-to-request", Defect: "responds to a request with 202", Script: status("status 202"),
			Sight: Sight{Connect: "HTTP 202", Hint: "returned no JSON-RPC response"}},
		{Name: "204-to-request", Defect: "responds to a request with 204", Script: status("status 204"),
			Sight: Sight{Connect: "HTTP 204", Hint: "returned no JSON-RPC response"}},
		{Name: "401-oauth", Defect: "requires authorization",
			Script: status("status 401\n\theader WWW-Authenticate: Bearer resource_metadata=\"x\"\n\tsend " +
				"{\"error\":\"invalid_token\"}"),
			Sight: Sight{Connect: "HTTP 401", Hint: "Bearer resource_metadata", Auto: true}},
		{Name: "403", Defect: "rejects the client", Script: status("status 403\n\tsend {\"error\":\"forbidden\"}"),
			Sight: Sight{Connect: "HTTP 403", Hint: "token", Auto: true}},
		{Name: "404-empty", Defect: "does not exist", Script: status("status 404"),
			Sight: Sight{Connect: "HTTP 404", Hint: "check the path", Auto: true}},
		{Name: "404-json", Defect: "does not exist, in JSON",
			Script: status("status 404\n\tsend {\"detail\":\"Not Found\"}"),
			Sight:  Sight{Connect: "Not Found", Hint: "check the path", Auto: true}},
		{Name: "405", Defect: "rejects POST", Script: status("status 405"),
			Sight: Sight{Connect: "HTTP 405", Hint: "does not accept POST", Auto: true}},
		{Name: "429", Defect: "is busy", Script: status("status 429\n\theader Retry-After: 7"),
			Sight: Sight{Connect: "HTTP 429", Hint: "after 7", Auto: true}},
		{Name: "500", Defect: "fails", Script: status("status 500\n\twrite \"oops\""),
			Sight: Sight{Connect: `"oops"`, Hint: "check its log", Auto: true}},
		{Name: "503", Defect: "is down", Script: status("status 503"),
			Sight: Sight{Connect: "HTTP 503", Hint: "try again later", Auto: true}},
		{Name: "redirect-loop", Defect: "redirects to itself", Script: status("status 307\n\theader Location: /"),
			Sight: Sight{Connect: "more than 3 redirects", Auto: true}},
		{Name: "redirect-away", Defect: "redirects to another origin",
			Script: status("status 307\n\theader Location: http://localhost:1/"),
			Sight:  Sight{Connect: "redirected to another origin, http://localhost:1", Auto: true}},
		{Name: "redirect-to-get", Defect: "turns the POST into a GET",
			Script: status("status 302\n\theader Location: /there"),
			Sight:  Sight{Connect: "redirected to /there, which turns the POST into a GET"}},
		{Name: "session-lost", Defect: "loses the session",
			Script: but("on initialize\n\theader Mcp-Session-Id: s1\n\t"+
				`result {"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}`, "on tools/call\n\tstatus 404"),
			Sight: Sight{Call: "HTTP 404", Hint: "connect again"}},
		{Name: "wrong-content-type", Defect: "labels its JSON as text",
			Script: called("header Content-Type: text/plain", "result {}"),
			Sight:  Sight{Notice: `response with Content-Type "text/plain"`}},
		{Name: "400-to-notification", Defect: "rejects notifications",
			Script: but("on notifications/initialized\n\tstatus 400"),
			Sight:  Sight{Notice: "HTTP 400 in response to a notification or response"}},
		{Name: "hangs-up", Defect: "disconnects without a response", Script: called("cut"),
			Sight: Sight{Call: "stream closed before the response; the call may or may not have run"}},
		{Name: "short-body", Defect: "sends less than its Content-Length",
			Script: called("header Content-Length: 5000", "header Content-Type: application/json",
				`write "{\"jsonrpc\":\"2.0\",\"id\":$id,\"resu"`, "cut"),
			Sight: Sight{Call: "the call may or may not have run", Frame: `"resu`}},
	}
	for i := range servers {
		servers[i].HTTP = true
	}
	return servers
}
