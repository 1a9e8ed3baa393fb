package conform

import "testing"

// Output during a call is what makes hosts close a connection later; output before the first call does not count.
func TestPrintsInCalls(t *testing.T) {
	for name, c := range map[string]struct {
		odd  observation
		want bool
	}{
		"during a call":     {observation{text: "not JSON: hello", during: "tools/call echo"}, true},
		"before any call":   {observation{text: "not JSON: hello"}, false},
		"a fault of a call": {observation{text: "two results", during: "tools/call echo"}, false},
	} {
		quiet, loud := &revisionRun{}, &revisionRun{}
		loud.validator.odd = []observation{c.odd}
		if got := printsInCalls([]*revisionRun{quiet, loud}); got != c.want {
			t.Errorf("%s: got %v, expected %v", name, got, c.want)
		}
	}
}
