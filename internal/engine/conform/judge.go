package conform

import (
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

// A judge hears every frame of every check. It holds each against the tables of the revision and keeps what the checks
// that run last want to know.
type judge struct {
	round *round

	mu         sync.Mutex
	count      map[string]int       // frames of the server, by connection
	early      []heard              // what came before the revision was known
	results    []sighting           // results of calls, resources and prompts, those that are not long
	newest     map[string]*asked    // the last request of ours, by connection
	greeted    map[string]bool      // connections on which a response has come
	asked      map[string]*asked    // requests of ours, by connection and id
	unreadable map[string]bool      // connections on which we sent what a server may fail to read
	odd        []sighting           // departures from JSON-RPC and from the framing
	refused    []sighting           // answers with an error
	told       []sighting           // notifications
	wanted     []sighting           // requests of the server's
	strays     []sighting           // answers that nobody waits for
	named      []sighting           // messages in events of another type than message
	events     []sighting           // server-sent events with an id
	shapes     map[string]*sighting // departures from the tables, each kind once
	order      []string             // of the shapes
}

// A heard is a frame that waits to be judged.
type heard struct {
	connection string
	frame      wire.Frame
}

// An asked is a request of ours.
type asked struct {
	method  string
	frame   wire.Frame
	replies int
}

// A sighting is something that was seen, with its proof.
type sighting struct {
	connection string
	kind       string // of a departure from the tables: result, error, notification or request
	method     string
	pointer    string
	text       string
	during     string // the request that was in progress; empty if none was
	message    mcp.Message
	frames     []wire.Frame
}

// proof is the sighting as a finding shows it: an answer with the request that it is for, where that is known.
func (s sighting) proof() Seen {
	if !s.message.IsResponse() || len(s.frames) < 2 {
		return Seen{Subject: s.method, Frames: s.frames}
	}
	return Seen{Subject: s.method, Exchange: &mcp.Exchange{Request: mcp.Message{Frame: s.frames[0], Method: s.method}, Reply: &s.message}}
}

// mostJudged is how many frames of one connection are judged: who sends more says the same again and again.
const mostJudged = 5000

// mostSightings is how many sightings of a kind are kept.
const mostSightings = 2000

func keep(list *[]sighting, s sighting) {
	if len(*list) < mostSightings {
		*list = append(*list, s)
	}
}

// hear takes a frame of the connection with the name.
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

// settled judges what came before the revision was known.
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
		connection += "/" + f.Stream + "#" + strconv.Itoa(f.Conn) // each process has IDs of its own
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

// speaks tells whether a frame holds a message: what the HTTP side refuses in words of its own does not.
func speaks(f wire.Frame) bool {
	if len(f.Body) == 0 || f.Err != nil && f.Event == nil {
		return false
	}
	return onPipe(f) || f.Event != nil || At(f.Body, "/jsonrpc") != nil || f.Status/100 == 2 && f.Body[0] == '['
}

// onPipe tells whether a frame went over the pipes of a process.
func onPipe(f wire.Frame) bool { return strings.HasPrefix(f.Stream, string(wire.Stdio)) }

// sent remembers what we asked.
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
				j.asked, j.newest, j.greeted = map[string]*asked{}, map[string]*asked{}, map[string]bool{}
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

// message judges one message of the server's.
func (j *judge) message(connection string, revision spec.Revision, m mcp.Message) {
	if m.IsResponse() && string(m.ID) == objectID {
		return // it repeats the malformed id of RPC-007
	}
	raw := m.Frame.Body
	s := sighting{connection: connection, method: m.Method, message: m, frames: []wire.Frame{m.Frame}}
	for _, odd := range m.Odd {
		o := s
		o.text = odd
		// What comes before the first response is from the start of the server, whatever was sent meanwhile.
		if waiting := j.newest[connection]; j.greeted[connection] && waiting != nil && waiting.replies == 0 && !m.IsResponse() {
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

// answer judges an answer by the request that it is for.
func (j *judge) answer(revision spec.Revision, s sighting) {
	m := s.message
	request := j.asked[s.connection+" "+canonicalID(m.ID)]
	switch {
	case request == nil && m.Error != nil && (m.ID == nil || string(m.ID) == "null"):
		keep(&j.refused, s) // of something that could not be read
		return
	case request == nil:
		keep(&j.strays, s)
		return
	}
	j.greeted[s.connection] = true
	s.method, s.frames = request.method, []wire.Frame{request.frame, m.Frame}
	if request.replies++; request.replies > 1 {
		s.text = "a second answer"
		keep(&j.strays, s)
	}
	kind := "result"
	if m.Error != nil {
		kind = "error"
		keep(&j.refused, s)
	} else if slices.Contains(contentMethods, s.method) && len(m.Frame.Body) <= maxKept {
		keep(&j.results, s)
	}
	if m.Error == nil && s.method == "ping" && revision.ID >= mcp.NewestModern {
		return // it has no shape there: our probe asks before an era is chosen, and LIFE-026 tells of the rest
	}
	if !strings.Contains(strings.Join(m.Odd, " "), "batch") && len(m.Frame.Body) > 0 && m.Frame.Body[0] == '{' {
		j.shape(kind, s, revision.JudgeAnswer(spec.Client, request.method, m.Frame.Body))
	}
}

// contentMethods are the methods whose results are for a model or a user.
var contentMethods = []string{"tools/call", "resources/read", "prompts/get"}

// maxKept is the size up to which results are kept for the checks that run last.
const maxKept = 64 << 10

// during names a request, with the tool that it calls.
func during(a *asked) string {
	if name := TextAt(a.frame.Body, "/params/name"); name != "" {
		return a.method + " " + quoted(name)
	}
	return a.method
}

var index = regexp.MustCompile(`/\d+`)

// shape keeps departures from the tables, each kind once with the places where it was seen.
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

// departures lists the departures from the tables of one kind, in the order in which they were seen.
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
