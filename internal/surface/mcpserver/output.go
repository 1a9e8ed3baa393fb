package mcpserver

// The parts that the answers of several tools share. They stand in the definition of each, and so in the context of every
// conversation: what a name says by itself is not described.

// answers is the output schema of a tool: what it returns when it worked, or an error.
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
			may("suggestion", line("What to try next.")))),
		may("connection", record("", need("server_url", line("")))),
		need("metadata", record("", need("request_time_ms", count("")))),
		may("tool_call", value("The call, if it was made and the tool itself reported the error.")))
}

// connectionAnswer describes the connection that an answer is about.
func connectionAnswer() property {
	return need("connection", record("",
		need("name", line("Its name here.")),
		need("server_url", line("The URL or name that it was opened with.")),
		need("transport", choice("", "streaming-http", "stdio")),
		need("connected_at", moment("")),
		need("server_info", record("What the server calls itself.", need("name", line("")), need("version", line("")))),
		need("raw", record("The precise transport, revision and what the server declared."))))
}

// metadataAnswer is the metadata of an answer.
func metadataAnswer(members ...property) property {
	return need("metadata", record("", append(members, need("request_time_ms", count("")))...))
}

func retrieved() property { return need("retrieved_at", moment("")) }

func framesAnswer() property {
	return may("frames", rows("The frames of the exchange, if asked for.", record("")))
}

func pageAnswer() property {
	return may("page", record("Which part of the list this is, if it is not all of it, and how to get the rest."))
}

func remarksAnswer() property {
	return may("remarks", rows("What is wrong with the response; of kind unchecked and notice it is no failure.", record("", need("kind", line("")), need("message", line("")))))
}

func pendingAnswer() property {
	return may("pending", record("The server asks something before it goes on. Give it to the tool answer.",
		need("id", line("The id to answer under.")),
		need("requests", rows("What is asked.", record("", need("id", line("")), need("method", line("")), need("params", value("As the server sent it.")))))))
}
