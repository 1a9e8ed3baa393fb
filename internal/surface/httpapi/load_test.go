package httpapi_test

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/view"
)

// A load that is asked for on the page tells how it goes, and leaves the connection and its record alone.
func TestLoadOnThePage(t *testing.T) {
	p := newPage(t, nil, "")
	l := p.connect(view.NewLink{Server: "builtin-demo"})
	all := p.runEvents("load", l.ID, `{"tool":"echo","rate":"20/s","duration":"1200ms"}`)
	steps := 0
	for _, e := range all {
		if e.Kind == "step" && strings.Contains(e.Step.Text, "/s  p50 ") {
			steps++
		}
	}
	last := all[len(all)-1]
	if steps == 0 || last.Kind != "result" || last.Failed || !strings.Contains(last.ResultJSON, `"calls": 24`) {
		t.Errorf("%d steps, then %+v; want steps, and a result with 24 calls", steps, last)
	}
	refused := p.run("load", l.ID, `{"duration":"1h"}`)
	if refused.Kind != "error" || !strings.Contains(refused.Error.Message, "at most 10m") {
		t.Errorf("%+v; want an hour refused", refused)
	}
}
