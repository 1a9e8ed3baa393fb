package httpapi

import (
	"reflect"

	"github.com/mcptest-dev/mcptest/internal/view"
)

// A Route is one route of the API. Its input and output types are known, so that the page's types are generated
// from them.
type Route struct {
	Pattern string // in the syntax of http.ServeMux
	Doc     string
	In      reflect.Type // of the body; nil if there is none
	Out     reflect.Type // of the response; nil if there is none
	Stream  bool         // the response is a stream of events of the type Out
	Bytes   bool         // the response is bytes

	limit  int64 // of the body; 0 means the default
	handle handler
}

// None is the response of a route without data.
type None struct{}

// Routes lists every route of the API.
func Routes() []Route {
	var all []Route
	for _, group := range [][]Route{serverRoutes(), linkRoutes(), toolRoutes(), callRoutes(), appRoutes(), questionRoutes(),
		wireRoutes(), runRoutes(), authRoutes()} {
		all = append(all, group...)
	}
	return all
}

// large allows a route a body as large as a transcript.
func large(r Route) Route {
	r.limit = maxTranscript
	return r
}

func runRoutes() []Route {
	return []Route{
		stream[None, view.Event]("GET /api/events", "the event stream, from ?after= on", streamEvents),
		stream[view.RunInput, view.RunEvent]("POST /api/run/{operation...}", "run an operation", streamRun),
		send("POST /api/gateway", "the state of a running gateway", gatewayState),
		send("POST /api/gateway/approve", "approve quarantined definitions of a running gateway", approveAtGateway),
	}
}
