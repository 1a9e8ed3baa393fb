// Package distill turns a recording into a suite: one test for each distinct call, with expectations that hold in other
// runs too. Values that differ from run to run are matched by their form, secrets become environment variables, and
// calls that use a value of an earlier response are steps of one sequence.
package distill

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/volatile"
)

// A Suite is what a recording was turned into.
type Suite struct {
	YAML      []byte
	Tests     int
	Skipped   []Skip
	Variables []string // environment variables that stand for secrets, which the recording does not contain
}

// A Skip is a request that has no test.
type Skip struct {
	Subject string `json:"subject"`
	Calls   int    `json:"calls"`
	Why     string `json:"why"`
}

// maxTests is how many tests a suite may have.
const maxTests = 1000

// A step is a recorded request with all responses that it got.
type step struct {
	exchange *recording.Exchange
	results  []sample // of equal requests, in order
	captures []capture
}

// A test is one step, or several that pass on values.
type test struct{ steps []*step }

// From makes a suite of a recording. server is the server entry of the suite, as lines of YAML.
func From(s *recording.Session, server string) *Suite { return from(s, s.Exchanges, server) }

// One makes a suite of one exchange of a recording.
func One(s *recording.Session, x *recording.Exchange, server string) *Suite {
	return from(s, []*recording.Exchange{x}, server)
}

func from(s *recording.Session, exchanges []*recording.Exchange, server string) *Suite {
	d := &distiller{session: s, tools: s.Tools(), suite: &Suite{Skipped: []Skip{}, Variables: []string{}}}
	var steps []*step
	for _, x := range exchanges {
		if isOwn(x.Method) {
			continue
		}
		if why := unusable(x); why != "" {
			d.skip(x, why)
			continue
		}
		steps = append(steps, &step{exchange: x, results: []sample{{x.Result, x.Started}}})
	}
	tests := fold(group(steps))
	if len(tests) > maxTests {
		for _, t := range tests[maxTests:] {
			d.skip(t.steps[0].exchange, fmt.Sprintf("the suite has %d tests", maxTests))
		}
		tests = tests[:maxTests]
	}
	d.write(server, tests)
	return d.suite
}

// isOwn reports whether every session sends a method itself.
func isOwn(method string) bool {
	return slices.Contains([]string{"initialize", "server/discover", "ping", "logging/setLevel"}, method)
}

// unusable returns why a request has no test; empty if it has.
func unusable(x *recording.Exchange) string {
	switch {
	case strings.HasSuffix(x.Method, "/listen"), strings.HasSuffix(x.Method, "subscribe"):
		return "a suite has no subscriptions"
	case strings.HasPrefix(x.Method, "tasks/"):
		return "a suite has no tasks"
	case !x.Answered():
		return "no recorded response"
	}
	for _, s := range x.Steps {
		if s.Request && s.Method != "roots/list" && s.Reply == nil {
			return "the client did not answer " + s.Method
		}
	}
	return ""
}

// A distiller is a suite in progress.
type distiller struct {
	session *recording.Session
	tools   map[string]json.RawMessage
	suite   *Suite
	text    strings.Builder
	names   map[string]bool // of tests, by section and name
}

func (d *distiller) skip(x *recording.Exchange, why string) {
	subject := subjectOf(x)
	for i := range d.suite.Skipped {
		if s := &d.suite.Skipped[i]; s.Subject == subject && s.Why == why {
			s.Calls++
			return
		}
	}
	d.suite.Skipped = append(d.suite.Skipped, Skip{subject, 1, why})
}

// subjectOf returns the method of a request and what it is about.
func subjectOf(x *recording.Exchange) string {
	name := schema.TextAt(x.Params, "/name")
	if name == "" {
		name = schema.TextAt(x.Params, "/uri")
	}
	return strings.TrimSpace(x.Method + " " + name)
}

// fold joins tests that are the same: equal requests with a result, and requests with the same error. The first one
// keeps the results of all, so that what differs between them is not expected.
func fold(tests []*test) []*test {
	var out []*test
	first := map[string]*step{}
	for _, t := range tests {
		keys := make([]string, len(t.steps))
		known := true
		for i, s := range t.steps {
			keys[i] = s.key(t)
			known = known && first[keys[i]] != nil
		}
		for i, s := range t.steps {
			if known {
				f := first[keys[i]]
				f.results = append(f.results, s.results...)
			} else if first[keys[i]] == nil {
				first[keys[i]] = s
			}
		}
		if !known {
			out = append(out, t)
		}
	}
	return out
}

// key identifies equal steps. Values of earlier responses are replaced by where they come from.
func (s *step) key(t *test) string {
	x := s.exchange
	switch {
	case x.Error != nil:
		return fmt.Sprintf("error %s %v %s", subjectOf(x), x.Error.Code, volatile.Normalize(x.Error.Message, x.Started))
	case calls.IsError(x.Result):
		content, _ := schema.Get(x.Result, "/content")
		return "isError " + subjectOf(x) + " " + volatile.Normalize(recording.Canonical(content), x.Started)
	}
	locations := map[string]string{}
	for _, c := range t.captures() {
		locations[string(c.value)] = c.location
	}
	return x.Method + " " + (&writer{variables: locations}).value("", json.RawMessage(recording.Canonical(x.Params)))
}

// captures returns what all steps of a test capture.
func (t *test) captures() []capture {
	var all []capture
	for _, s := range t.steps {
		all = append(all, s.captures...)
	}
	return all
}

// isRedacted reports whether a text has parts that the recording does not contain.
func isRedacted(text string) bool { return strings.Contains(text, redact.Placeholder) }
