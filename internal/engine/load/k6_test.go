package load

import (
	"flag"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/golden"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var update = flag.Bool("update", false, "write the goldens anew")

// scripted returns the script for k6 of one call, without what differs between runs.
func scripted(t *testing.T, pace Pace, limits ...string) (string, []string) {
	t.Helper()
	s, requests := meet(t, "sound", "http", wire.NewTranscript(nil))
	o := &Options{Requests: requests, Pace: pace}
	for _, text := range limits {
		limit, err := ParseThreshold(text)
		if err != nil {
			t.Fatal(err)
		}
		o.Thresholds = append(o.Thresholds, limit)
	}
	script, wanted, err := K6(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(script), s.Target().URL, "http://localhost/"), wanted
}

// The script of a pace below one call per second, with a threshold that k6 cannot measure.
func TestK6Golden(t *testing.T) {
	script, wanted := scripted(t, Pace{Rate: 0.5, Duration: 20 * time.Second, Ramp: 5 * time.Second}, "p99<50ms",
		"errors<2%", "memory_growth<10MB")
	if len(wanted) > 0 {
		t.Errorf("needs %v, expected nothing", wanted)
	}
	generated, ok := strings.CutSuffix(script, k6Body)
	if !ok {
		t.Error("the script does not end with what is the same in all")
	}
	golden.Check(t, "testdata/k6.js", generated, *update)
}

func TestK6Scenarios(t *testing.T) {
	for want, pace := range map[string]Pace{
		`"executor": "constant-vus"`:          {Concurrency: 3, Duration: time.Second},
		`"executor": "ramping-vus"`:           {Concurrency: 3, Duration: time.Second, Ramp: time.Second},
		`"rate": 7`:                           {Rate: 7, Duration: time.Second},
		`"executor": "constant-arrival-rate"`: {Rate: 7, Duration: time.Second},
	} {
		if script, _ := scripted(t, pace); !strings.Contains(script, want) {
			t.Errorf("%v: no %s in\n%s", pace, want, script)
		}
	}
}

// What the script must not contain, it takes from variables: values of headers, and a URL with a query.
func TestK6Secrets(t *testing.T) {
	s, _ := meet(t, "sound", "http", wire.NewTranscript(nil))
	for name, target := range map[string]wire.Target{
		"query":    {URL: s.Target().URL + "?key=hidden"},
		"password": {URL: strings.Replace(s.Target().URL, "://", "://user:hidden@", 1)},
		"header":   {URL: s.Target().URL, Header: http.Header{"X-Key": {"hidden"}}},
	} {
		s, requests := meetAt(t, target, wire.NewTranscript(nil))
		text, wanted, err := K6(s, &Options{Requests: requests, Pace: Pace{Rate: 1, Duration: time.Second}})
		if err != nil {
			t.Fatal(err)
		}
		variable := map[bool]string{true: "MCPTEST_X_KEY", false: k6Address}[name == "header"]
		if strings.Contains(string(text), "hidden") || !slices.Equal(wanted, []string{variable}) ||
			!strings.Contains(string(text), "wanted('"+variable+"')") ||
			!strings.Contains(string(text), "-e "+variable+"=…") {
			t.Errorf("%s: needs %v, expected %s and no secret in\n%s", name, wanted, variable, text)
		}
	}
}

func TestK6NeedsCalls(t *testing.T) {
	s, requests := meet(t, "sound", "http", wire.NewTranscript(nil))
	requests[0].sent = wire.Frame{}
	if _, _, err := K6(s, &Options{Requests: requests}); err == nil {
		t.Error("requests that were never sent: expected an error")
	}
	s, requests = meet(t, "sound", "stdio", wire.NewTranscript(nil))
	if _, _, err := K6(s, &Options{Requests: requests}); err == nil || !strings.Contains(err.Error(), "HTTP") {
		t.Errorf("a server that is started: got %v, expected an error", err)
	}
}
