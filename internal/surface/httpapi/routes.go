package httpapi

import (
	"reflect"

	"github.com/mcptest-dev/mcptest/internal/inspector"
)

// A Route is one thing that the page can ask for. The types of what goes in and out are known, so that the page's own types
// are made from them.
type Route struct {
	Pattern string // as http.ServeMux has it
	Doc     string
	In      reflect.Type // of the body; nil where there is none
	Out     reflect.Type // of the answer; nil where there is none
	Stream  bool         // the answer is a stream of events of the type Out
	Bytes   bool         // the answer is bytes

	limit  int64 // of the body; 0 means the usual one
	handle handler
}

// None is the answer of a route that has nothing to say.
type None struct{}

// Routes lists every route of the API.
func Routes() []Route {
	var all []Route
	for _, group := range [][]Route{serverRoutes(), linkRoutes(), toolRoutes(), callRoutes(), questionRoutes(), wireRoutes(), runRoutes(), authRoutes()} {
		all = append(all, group...)
	}
	return all
}

// large lets a route take a body as large as a transcript.
func large(r Route) Route {
	r.limit = maxTranscript
	return r
}

func runRoutes() []Route {
	return []Route{
		stream[None, inspector.Event]("GET /api/events", "what happens, from ?after= on", tellEvents),
		stream[inspector.RunInput, inspector.RunEvent]("POST /api/run/{operation...}", "run an operation", tellRun),
		send("POST /api/gateway", "the state of a running gateway", gatewayState),
	}
}
