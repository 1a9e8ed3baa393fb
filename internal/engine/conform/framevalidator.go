package conform

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A frameValidator receives every frame of every check. It validates each against the schema of the revision and stores
// what the checks that run last need.
type frameValidator struct {
	round *revisionRun

	mu       sync.Mutex
	count    map[string]int          // frames of the server, by connection
	early    []queuedFrame           // frames received before the revision was known
	results  []observation           // results of calls, resources and prompts, except long ones
	large    []largeResult           // results that take much of a model's context, without their content
	newest   map[string]*sentRequest // our last request, by connection
	requests map[string]*sentRequest // our requests, by connection and ID
	// connections on which we sent something that a server may be unable to parse
	unreadable     map[string]bool
	odd            []observation           // violations of JSON-RPC and of the framing
	refused        []observation           // error responses
	notifications  []observation           // notifications
	serverRequests []observation           // requests from the server
	strays         []observation           // unsolicited responses
	named          []observation           // messages in events of another type than message
	events         []observation           // server-sent events with an ID; the connection is the session
	sessions       map[string]string       // IDs of sessions, by connection and stream
	shapes         map[string]*observation // schema violations, each kind once
	order          []string                // of the shapes
}

// A queuedFrame is a frame that waits to be processed.
type queuedFrame struct {
	connection string
	frame      wire.Frame
}

// An sentRequest is a request that we sent.
type sentRequest struct {
	method  string
	frame   wire.Frame
	replies int
}

// A observation is an observation with its proof.
type observation struct {
	connection string
	kind       string // of a schema violation: result, error, notification or request
	method     string
	pointer    string
	text       string
	during     string // the only call that was in progress; empty if there was none or more than one
	asked      string // of a response: what its request names, by which examples are sorted
	message    mcp.Message
	frames     []wire.Frame
	retyped    json.RawMessage // of an unsolicited response: the ID of the request that it has in another type
}

// proof returns the sighting as evidence of a finding: a response together with its request, if known.
func (s observation) proof() Evidence {
	if !s.message.IsResponse() || len(s.frames) < 2 {
		return Evidence{Subject: s.method, Frames: s.frames}
	}
	return Evidence{Subject: s.method, Exchange: &mcp.Exchange{Request: mcp.Message{Frame: s.frames[0],
		Method: s.method}, Reply: &s.message}}
}

// maxValidated is how many frames of one connection are checked: further ones would only repeat the same findings.
const maxValidated = 5000

// maxSightings is how many sightings of a kind are stored.
const maxSightings = 2000

func addObservation(list *[]observation, s observation) {
	if len(*list) < maxSightings {
		*list = append(*list, s)
	}
}

// record receives a frame of the connection with the name.
func (j *frameValidator) record(connection, protocol string, f wire.Frame) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.round.revision.ID == "" && protocol == mcp.Auto {
		if len(j.early) < maxSightings {
			j.early = append(j.early, queuedFrame{connection, f})
		}
		return
	}
	revision, known := spec.Find(protocol)
	if !known {
		revision = j.round.revision
	}
	j.take(connection, revision, f)
}

// settled processes the frames received before the revision was known.
func (j *frameValidator) settled() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, h := range j.early {
		j.take(h.connection, j.round.revision, h.frame)
	}
	j.early = nil
}

func (j *frameValidator) take(connection string, revision spec.Revision, f wire.Frame) {
	if onPipe(f) {
		connection += "/" + f.Stream + "#" + strconv.Itoa(f.Conn) // each process has its own IDs
	}
	stream := connection + " " + f.Stream
	if id := f.Header.Get("Mcp-Session-Id"); id != "" {
		if j.sessions == nil {
			j.sessions = map[string]string{}
		}
		j.sessions[stream] = id
	}
	if f.From == wire.Client {
		j.sent(connection, f)
		return
	}
	if j.count[connection]++; j.count[connection] > maxValidated {
		return
	}
	if f.Event != nil && f.Event.HasID {
		addObservation(&j.events, observation{connection: cmp.Or(j.sessions[stream], connection), text: f.Event.ID,
			frames: []wire.Frame{f}})
	}
	if !speaks(f) {
		return
	}
	if f.Event != nil && f.Event.Name != "" && f.Event.Name != "message" {
		addObservation(&j.named, observation{connection: connection, text: f.Event.Name, frames: []wire.Frame{f}})
	}
	m := mcp.Read(f)
	rest := m.Rest
	m.Rest = nil
	j.message(connection, revision, m)
	for _, next := range rest {
		j.message(connection, revision, next)
	}
}

// speaks reports whether a frame contains a message: an HTTP error page does not.
func speaks(f wire.Frame) bool {
	if len(f.Body) == 0 || f.Err != nil && f.Event == nil {
		return false
	}
	// Valid JSON without jsonrpc is a document, such as the metadata of an authorization server; the rest was cut.
	cut := strings.HasPrefix(f.Header.Get("Content-Type"), "application/json") && !json.Valid(f.Body)
	return onPipe(f) || f.Event != nil || At(f.Body, "/jsonrpc") != nil ||
		f.Status/100 == 2 && (f.Body[0] == '[' || f.Body[0] == '{' && cut)
}

// onPipe reports whether a frame was sent over the pipes of a process.
func onPipe(f wire.Frame) bool { return strings.HasPrefix(f.Stream, string(wire.Stdio)) }

// sent records the requests that we send.
func (j *frameValidator) sent(connection string, f wire.Frame) {
	m := mcp.Read(f)
	if len(f.Body) > 0 && !isReadable(m) {
		if j.unreadable == nil {
			j.unreadable = map[string]bool{}
		}
		j.unreadable[connection] = true
	}
	for _, one := range append([]mcp.Message{m}, m.Rest...) {
		if one.ID != nil && one.Result == nil && one.Error == nil { // a request, however malformed
			if j.requests == nil {
				j.requests, j.newest = map[string]*sentRequest{}, map[string]*sentRequest{}
			}
			request := &sentRequest{method: one.Method, frame: f}
			j.requests[connection+" "+canonicalID(one.ID)], j.newest[connection] = request, request
		}
	}
}

// retypedID is the canonicalID of an ID in the other type: the number in a string, or a number as a string.
func retypedID(id []byte) string {
	if text, ok := textOf(id); ok {
		return text
	}
	return "text " + string(id)
}

func canonicalID(id []byte) string {
	if text, ok := textOf(id); ok {
		return "text " + text
	}
	return string(id)
}

// message checks one message from the server.
func (j *frameValidator) message(connection string, revision spec.Revision, m mcp.Message) {
	if m.IsResponse() && equalJSON(m.ID, []byte(objectID)) {
		return // it repeats the malformed ID of RPC-007
	}
	raw := m.Frame.Body
	s := observation{connection: connection, method: m.Method, message: m, frames: []wire.Frame{m.Frame}}
	for _, odd := range m.Odd {
		o := s
		o.text = odd
		// On this connection one call follows the other; on others several requests are in flight.
		if waiting := j.newest[connection]; strings.HasPrefix(connection, callsConnection+"-") && waiting != nil &&
			waiting.method == "tools/call" && waiting.replies == 0 && !m.IsResponse() {
			o.during = during(waiting)
		}
		addObservation(&j.odd, o)
	}
	switch {
	case m.IsRequest():
		addObservation(&j.serverRequests, s)
		j.shape("request", s, revision.Validate(spec.Server, raw))
	case m.IsNotification():
		addObservation(&j.notifications, s)
		j.shape("notification", s, revision.Validate(spec.Server, raw))
	case m.IsResponse():
		j.validateResponse(revision, s)
	}
}

// validateResponse checks a response against its request.
func (j *frameValidator) validateResponse(revision spec.Revision, s observation) {
	m := s.message
	request := j.requests[s.connection+" "+canonicalID(m.ID)]
	switch {
	case request == nil && m.Error != nil && (m.ID == nil || string(m.ID) == "null"):
		addObservation(&j.refused, s) // of a message that could not be parsed
		return
	case request == nil:
		if meant := j.requests[s.connection+" "+retypedID(m.ID)]; meant != nil && meant.replies == 0 {
			s.method, s.retyped = meant.method, At(meant.frame.Body, "/id")
			s.frames = []wire.Frame{meant.frame, m.Frame}
		}
		addObservation(&j.strays, s)
		return
	}
	s.method, s.frames = request.method, []wire.Frame{request.frame, m.Frame}
	s.asked = asked(request.frame)
	if request.replies++; request.replies > 1 {
		s.text = "second response"
		addObservation(&j.strays, s)
	}
	kind := "result"
	if m.Error != nil {
		kind = "error"
		addObservation(&j.refused, s)
	} else if slices.Contains(contentMethods, s.method) && len(m.Frame.Body) <= maxKept {
		addObservation(&j.results, s)
	} else if s.method == "tools/call" && len(m.Frame.Body) > 4*maxResultTokens && len(j.large) < maxLarge {
		size := hosts.TextTokens(textsOf(m.Result)) + hosts.Tokens(At(m.Result, "/structuredContent"))
		j.large = append(j.large, largeResult{request.frame, len(m.Frame.Body), size})
	}
	if revision.Era == spec.Modern && m.Error == nil && !hasVersion(request.frame) {
		return // a server of both eras rightly answers it as one of an older revision; LIFE-023 reports others
	}
	if m.Error == nil && s.method == "ping" && revision.ID >= spec.NewestModern {
		return // it has no schema there: our probe is sent before a revision is chosen, and LIFE-026 reports the rest
	}
	if !strings.Contains(strings.Join(m.Odd, " "), "batch") && len(m.Frame.Body) > 0 && m.Frame.Body[0] == '{' {
		j.shape(kind, s, revision.ValidateResponse(spec.Client, request.method, m.Frame.Body))
	}
}

// hasVersion reports whether a request names its revision, as those of the modern era do.
func hasVersion(request wire.Frame) bool {
	return At(request.Body, "/params/_meta/io.modelcontextprotocol~1protocolVersion") != nil
}

// contentMethods are the methods whose results are for a model or a user.
var contentMethods = []string{"tools/call", "resources/read", "prompts/get"}

// maxKept is the size up to which results are stored for the checks that run last.
const maxKept = 64 << 10

// during returns the name of a call, with its tool.
func during(a *sentRequest) string {
	return a.method + " " + quoted(schema.TextAt(a.frame.Body, "/params/name"))
}

var index = lazyregexp.New(`/\d+`)

// shape stores schema violations, each kind once with the locations where it occurred.
func (j *frameValidator) shape(kind string, s observation, found []spec.Violation) {
	for _, v := range found {
		key := fmt.Sprint(kind, s.method, index().ReplaceAllString(v.Pointer, "/*"), v.Message)
		known := j.shapes[key]
		if known == nil {
			if len(j.order) >= maxSightings {
				return
			}
			if j.shapes == nil {
				j.shapes = map[string]*observation{}
			}
			known = &observation{connection: s.connection, kind: kind, method: s.method, pointer: v.Pointer,
				text: v.Message, message: s.message, frames: slices.Clone(s.frames)}
			j.shapes[key], j.order = known, append(j.order, key)
			continue
		}
		if len(known.frames) < 40 {
			known.frames = append(known.frames, s.frames...)
		}
	}
}

// observations copies sightings of one kind.
func (j *frameValidator) observations(list *[]observation) []observation {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(*list)
}

// simplest copies sightings of one kind, those with the shortest requests first: they make the best examples, and the
// order does not depend on which check ran first.
func (j *frameValidator) simplest(list *[]observation) []observation {
	all := j.observations(list)
	slices.SortStableFunc(all, func(a, b observation) int {
		return cmp.Or(strings.Compare(a.method, b.method), len(a.asked)-len(b.asked), strings.Compare(a.asked, b.asked))
	})
	return all
}

// asked returns what a request names, with its arguments.
func asked(request wire.Frame) string {
	params := At(request.Body, "/params")
	return string(At(params, "/name")) + string(At(params, "/uri")) + string(At(params, "/arguments"))
}

// violations lists the schema violations of one kind, in the order in which they occurred.
func (j *frameValidator) violations(kind string) []observation {
	j.mu.Lock()
	defer j.mu.Unlock()
	var all []observation
	for _, key := range j.order {
		if s := j.shapes[key]; s.kind == kind {
			all = append(all, *s)
		}
	}
	return all
}
