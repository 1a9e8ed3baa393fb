package conform

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A judge receives every frame of every check. It validates each against the schema of the revision and stores what the
// checks that run last need.
type judge struct {
	round *round

	mu         sync.Mutex
	count      map[string]int       // frames of the server, by connection
	early      []heard              // frames received before the revision was known
	results    []sighting           // results of calls, resources and prompts, except long ones
	newest     map[string]*asked    // our last request, by connection
	asked      map[string]*asked    // our requests, by connection and ID
	unreadable map[string]bool      // connections on which we sent something that a server may be unable to parse
	odd        []sighting           // violations of JSON-RPC and of the framing
	refused    []sighting           // error responses
	told       []sighting           // notifications
	wanted     []sighting           // requests from the server
	strays     []sighting           // unsolicited responses
	named      []sighting           // messages in events of another type than message
	events     []sighting           // server-sent events with an ID
	shapes     map[string]*sighting // schema violations, each kind once
	order      []string             // of the shapes
}

// A heard is a frame that waits to be processed.
type heard struct {
	connection string
	frame      wire.Frame
}

// An asked is a request that we sent.
type asked struct {
	method  string
	frame   wire.Frame
	replies int
}

// A sighting is an observation with its proof.
type sighting struct {
	connection string
	kind       string // of a schema violation: result, error, notification or request
	method     string
	pointer    string
	text       string
	during     string // the only call that was in progress; empty if there was none or more than one
	message    mcp.Message
	frames     []wire.Frame
}

// proof returns the sighting as evidence of a finding: a response together with its request, if known.
func (s sighting) proof() Seen {
	if !s.message.IsResponse() || len(s.frames) < 2 {
		return Seen{Subject: s.method, Frames: s.frames}
	}
	return Seen{Subject: s.method, Exchange: &mcp.Exchange{Request: mcp.Message{Frame: s.frames[0], Method: s.method}, Reply: &s.message}}
}

// mostJudged is how many frames of one connection are checked: further ones would only repeat the same findings.
const mostJudged = 5000

// mostSightings is how many sightings of a kind are stored.
const mostSightings = 2000

func keep(list *[]sighting, s sighting) {
	if len(*list) < mostSightings {
		*list = append(*list, s)
	}
}

// hear receives a frame of the connection with the name.
func (j *judge) hear(connection, protocol string, f wire.Frame) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.round.revision.ID == "" && protocol == mcp.Auto {
		if len(j.early) < mostSightings {
			j.early = append(j.early, heard{connection, f})
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
func (j *judge) settled() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, h := range j.early {
		j.take(h.connection, j.round.revision, h.frame)
	}
	j.early = nil
}

func (j *judge) take(connection string, revision spec.Revision, f wire.Frame) {
	if onPipe(f) {
		connection += "/" + f.Stream + "#" + strconv.Itoa(f.Conn) // each process has its own IDs
	}
	if f.From == wire.Client {
		j.sent(connection, f)
		return
	}
	if j.count[connection]++; j.count[connection] > mostJudged {
		return
	}
	if f.Event != nil && f.Event.HasID {
		keep(&j.events, sighting{connection: connection, text: f.Event.ID, frames: []wire.Frame{f}})
	}
	if !speaks(f) {
		return
	}
	if f.Event != nil && f.Event.Name != "" && f.Event.Name != "message" {
		keep(&j.named, sighting{connection: connection, text: f.Event.Name, frames: []wire.Frame{f}})
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
	return onPipe(f) || f.Event != nil || At(f.Body, "/jsonrpc") != nil || f.Status/100 == 2 && f.Body[0] == '['
}

// onPipe reports whether a frame was sent over the pipes of a process.
func onPipe(f wire.Frame) bool { return strings.HasPrefix(f.Stream, string(wire.Stdio)) }

// sent records the requests that we send.
func (j *judge) sent(connection string, f wire.Frame) {
	m := mcp.Read(f)
	if len(f.Body) > 0 && !isReadable(m) {
		if j.unreadable == nil {
			j.unreadable = map[string]bool{}
		}
		j.unreadable[connection] = true
	}
	for _, one := range append([]mcp.Message{m}, m.Rest...) {
		if one.ID != nil && one.Result == nil && one.Error == nil { // a request, however malformed
			if j.asked == nil {
				j.asked, j.newest = map[string]*asked{}, map[string]*asked{}
			}
			request := &asked{method: one.Method, frame: f}
			j.asked[connection+" "+canonicalID(one.ID)], j.newest[connection] = request, request
		}
	}
}

func canonicalID(id []byte) string {
	if text, ok := textOf(id); ok {
		return "text " + text
	}
	return string(id)
}

// message checks one message from the server.
func (j *judge) message(connection string, revision spec.Revision, m mcp.Message) {
	if m.IsResponse() && string(m.ID) == objectID {
		return // it repeats the malformed ID of RPC-007
	}
	raw := m.Frame.Body
	s := sighting{connection: connection, method: m.Method, message: m, frames: []wire.Frame{m.Frame}}
	for _, odd := range m.Odd {
		o := s
		o.text = odd
		// On this connection one call follows the other; on others several requests are in flight.
		if waiting := j.newest[connection]; strings.HasPrefix(connection, callsConnection+"-") && waiting != nil &&
			waiting.method == "tools/call" && waiting.replies == 0 && !m.IsResponse() {
			o.during = during(waiting)
		}
		keep(&j.odd, o)
	}
	switch {
	case m.IsRequest():
		keep(&j.wanted, s)
		j.shape("request", s, revision.Judge(spec.Server, raw))
	case m.IsNotification():
		keep(&j.told, s)
		j.shape("notification", s, revision.Judge(spec.Server, raw))
	case m.IsResponse():
		j.answer(revision, s)
	}
}

// answer checks a response against its request.
func (j *judge) answer(revision spec.Revision, s sighting) {
	m := s.message
	request := j.asked[s.connection+" "+canonicalID(m.ID)]
	switch {
	case request == nil && m.Error != nil && (m.ID == nil || string(m.ID) == "null"):
		keep(&j.refused, s) // of a message that could not be parsed
		return
	case request == nil:
		keep(&j.strays, s)
		return
	}
	s.method, s.frames = request.method, []wire.Frame{request.frame, m.Frame}
	if request.replies++; request.replies > 1 {
		s.text = "second response"
		keep(&j.strays, s)
	}
	kind := "result"
	if m.Error != nil {
		kind = "error"
		keep(&j.refused, s)
	} else if slices.Contains(contentMethods, s.method) && len(m.Frame.Body) <= maxKept {
		keep(&j.results, s)
	}
	if m.Error == nil && s.method == "ping" && revision.ID >= spec.NewestModern {
		return // it has no schema there: our probe is sent before a revision is chosen, and LIFE-026 reports the rest
	}
	if !strings.Contains(strings.Join(m.Odd, " "), "batch") && len(m.Frame.Body) > 0 && m.Frame.Body[0] == '{' {
		j.shape(kind, s, revision.JudgeAnswer(spec.Client, request.method, m.Frame.Body))
	}
}

// contentMethods are the methods whose results are for a model or a user.
var contentMethods = []string{"tools/call", "resources/read", "prompts/get"}

// maxKept is the size up to which results are stored for the checks that run last.
const maxKept = 64 << 10

// during returns the name of a call, with its tool.
func during(a *asked) string {
	return a.method + " " + quoted(TextAt(a.frame.Body, "/params/name"))
}

var index = regexp.MustCompile(`/\d+`)

// shape stores schema violations, each kind once with the locations where it occurred.
func (j *judge) shape(kind string, s sighting, found []spec.Violation) {
	for _, v := range found {
		key := fmt.Sprint(kind, s.method, index.ReplaceAllString(v.Pointer, "/*"), v.Message)
		known := j.shapes[key]
		if known == nil {
			if len(j.order) >= mostSightings {
				return
			}
			if j.shapes == nil {
				j.shapes = map[string]*sighting{}
			}
			known = &sighting{connection: s.connection, kind: kind, method: s.method, pointer: v.Pointer, text: v.Message, message: s.message, frames: slices.Clone(s.frames)}
			j.shapes[key], j.order = known, append(j.order, key)
			continue
		}
		if len(known.frames) < 40 {
			known.frames = append(known.frames, s.frames...)
		}
	}
}

// seen copies sightings of one kind.
func (j *judge) seen(list *[]sighting) []sighting {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(*list)
}

// simplest copies sightings of one kind, those with the shortest requests first: they make the best examples, and the order does
// not depend on which check ran first.
func (j *judge) simplest(list *[]sighting) []sighting {
	all := j.seen(list)
	request := func(s sighting) string {
		params := At(s.frames[0].Body, "/params")
		return string(At(params, "/name")) + string(At(params, "/uri")) + string(At(params, "/arguments"))
	}
	slices.SortStableFunc(all, func(a, b sighting) int {
		left, right := request(a), request(b)
		return cmp.Or(strings.Compare(a.method, b.method), len(left)-len(right), strings.Compare(left, right))
	})
	return all
}

// departures lists the schema violations of one kind, in the order in which they occurred.
func (j *judge) departures(kind string) []sighting {
	j.mu.Lock()
	defer j.mu.Unlock()
	var all []sighting
	for _, key := range j.order {
		if s := j.shapes[key]; s.kind == kind {
			all = append(all, *s)
		}
	}
	return all
}
