package mcpserver

// Schemas shared by the results of several tools. They are part of each definition, and so of the context of
// every conversation: fields with self-explanatory names have no description.

// answers returns the output schema of a tool: its result, or an error.
func answers(members ...property) string {
	success := record("", append([]property{need("success", `{"const":true}`)}, members...)...)
	return `{"type":"object","anyOf":[` + success + `,` + errorAnswer() + `]}`
}

func errorAnswer() string {
	return record("",
		need("success", `{"const":false}`),
		need("error", record("",
			need("type", choice("", errorTypes...)),
			need("message", line("")),
			need("details", `{"type":"object"}`),
			may("suggestion", line("The suggested next step.")))),
		may("connection", record("", need("server_url", line("")))),
		need("metadata", record("", need("request_time_ms", count("")))),
		may("tool_call", value("The call, if it was sent and the tool itself reported the error.")))
}

// connectionAnswer describes the connection of a result.
func connectionAnswer() property {
	return need("connection", record("",
		need("name", line("The name of the connection.")),
		need("server_url", line("The URL or server name used to open the connection.")),
		need("transport", choice("", "streaming-http", "stdio")),
		need("connected_at", moment("")),
		need("server_info", record("The name that the server returned.", need("name", line("")), need("version", line("")))),
		need("raw", record("The exact transport, protocol version and declared capabilities."))))
}

// metadataAnswer is the metadata of a result.
func metadataAnswer(members ...property) property {
	return need("metadata", record("", append(members, need("request_time_ms", count("")))...))
}

func retrieved() property { return need("retrieved_at", moment("")) }

func framesAnswer() property {
	return may("frames", rows("The frames of the request, if requested.", record("")))
}

func pageAnswer() property {
	return may("page", record("The returned part of the list, if it is incomplete, and how to get the rest."))
}

func remarksAnswer() property {
	return may("remarks", rows("Problems in the response; the kinds unchecked and notice are not failures.", record("", need("kind", line("")), need("message", line("")))))
}

func pendingAnswer() property {
	return may("pending", record("Requests from the server that must be answered before the call continues. Use the tool answer.",
		need("id", line("The ID to use in the answer.")),
		need("requests", rows("The request.", record("", need("id", line("")), need("method", line("")), need("params", value("The request, exactly as the server sent it.")))))))
}
