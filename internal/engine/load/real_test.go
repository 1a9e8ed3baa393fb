package load

import (
	"context"
	"encoding/json"
	"flag"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/zoo"
)

func TestMain(m *testing.M) {
	zoo.Play()
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil { // most of the time is spent waiting
		panic(err)
	}
	os.Exit(m.Run())
}

// transports are the ways to reach a server of the zoo.
var transports = []string{"stdio", "http"}

// meet connects to a server of the zoo and makes its call ready.
func meet(t *testing.T, name, transport string, log *wire.Transcript) (*mcp.Session, []*Request) {
	t.Helper()
	var target wire.Target
	for _, server := range zoo.Burdened() {
		if server.Name != name {
			continue
		}
		argv, env := server.Command()
		target = wire.Target{Name: name, Command: argv, Env: env}
		if transport == "http" {
			web := httptest.NewServer(server.Handler())
			t.Cleanup(web.Close)
			target = wire.Target{URL: web.URL}
		}
	}
	return meetAt(t, target, log)
}

// meetAt connects to a server and makes its call ready.
func meetAt(t *testing.T, target wire.Target, log *wire.Transcript) (*mcp.Session, []*Request) {
	t.Helper()
	s, err := mcp.Connect(t.Context(), target, log, &mcp.Options{Protocol: spec.NewestLegacy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	r := &Request{Tool: "t", Arguments: json.RawMessage(`{"m":"{{nonce}}"}`)}
	if failure, err := r.TrialCall(t.Context(), s, nil, false, 0); failure != nil || err != nil || !r.Echoes {
		t.Fatalf("rehearsal: %v, %v; echoes %v, want true", failure, err, r.Echoes)
	}
	return s, []*Request{r}
}

func found(r *finding.Report, rule string) *finding.Finding {
	for _, f := range r.Findings() {
		if f.Rule == rule {
			return &f
		}
	}
	return nil
}

func rulesOf(r *finding.Report) []string {
	var all []string
	for _, f := range r.Findings() {
		all = append(all, f.Rule)
	}
	return all
}

// A second in which a server does nothing is in the histogram with every call that was due meanwhile. All that is
// asserted are lower bounds: a slow machine makes calls later, never earlier.
func TestRealStall(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			s, requests := meet(t, "stalls-once", transport, nil)
			_, sum := Run(t.Context(), s, &Options{Pace: Pace{Rate: 200, Duration: 3 * time.Second,
				Silence: time.Minute, Drain: time.Minute}, Requests: requests})
			if sum.Calls != 600 || sum.Errors+sum.Unsent > 0 || sum.Checked != 600 {
				t.Fatalf("%d calls, %d errors, %d unsent, %d checked; want 600 and none: %v", sum.Calls, sum.Errors,
					sum.Unsent, sum.Checked, sum.Kinds)
			}
			// At 200/s, 100 calls are due in the first half of the stall and wait for the other half at least: a sixth
			// of all. The 20 of its first tenth wait for nine tenths.
			for _, c := range []struct {
				name         string
				got, atLeast float64
			}{{"max", sum.Latency.Max, 999}, {"p99", sum.Latency.P99, 950}, {"p95", sum.Latency.P95, 800},
				{"p90", sum.Latency.P90, 600}} {
				if c.got < c.atLeast {
					t.Errorf("%s is %v ms, want at least %v: the calls that were due during the stall are missing",
						c.name, c.got, c.atLeast)
				}
			}
		})
	}
}

// Each defect that shows under load alone is found, on both transports.
func TestRealDefects(t *testing.T) {
	patient := Pace{Rate: 100, Duration: 2 * time.Second, Silence: time.Minute, Drain: time.Minute}
	quick := patient
	quick.Silence = time.Second
	for _, c := range []struct {
		server  string
		pace    Pace
		rule    string
		message string
	}{
		{"sound", patient, "", ""},
		{"mixes-up", patient, "load/mixed-up", "responses belonged to another call"},
		{"deadlocks", quick, "load/deadlock", "ping still gets a response"},
		{"dies", quick, "load/died", ""},
	} {
		for _, transport := range transports {
			t.Run(c.server+"/"+transport, func(t *testing.T) {
				t.Parallel()
				s, requests := meet(t, c.server, transport, wire.NewTranscript(nil))
				report, sum := Run(t.Context(), s, &Options{Pace: c.pace, Requests: requests})
				if c.rule == "" {
					if len(report.Findings()) > 0 {
						t.Errorf("findings %v on a sound server, want none", report.Findings())
					}
					return
				}
				f := found(report, c.rule)
				if f == nil || !strings.Contains(f.Message, c.message) || len(f.Evidence) == 0 {
					t.Fatalf("found %v: %+v; want %s with %q and evidence\n%+v", rulesOf(report), f, c.rule, c.message,
						sum)
				}
				if c.server == "mixes-up" && (len(f.Where.Frames) == 0 || sum.MixedUp > sum.Checked ||
					int64(len(f.Evidence)) > maxConfused) {
					t.Errorf("%+v; want the frames that show it, and not all of them", f)
				}
				if c.server == "dies" && transport == "stdio" &&
					!strings.Contains(f.Message+strings.Join(f.Evidence, " "), "status 5") {
					t.Errorf("%s, %q; want the exit status", f.Message, f.Evidence)
				}
				if c.server == "dies" && transport == "stdio" &&
					!strings.Contains(strings.Join(f.Evidence, " "), "out of workers") {
					t.Errorf("evidence %q, want what the server wrote last", f.Evidence)
				}
			})
		}
	}
}

// A process that keeps memory and files of each call is seen to grow; one that does not is not.
func TestRealGrowth(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("left out: processes are looked at on Linux alone")
	}
	for _, name := range []string{"leaks", "sound"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, requests := meet(t, name, "stdio", nil)
			gate, err := ParseThreshold("handles_growth<16")
			if err != nil {
				t.Fatal(err)
			}
			report, sum := Run(t.Context(), s, &Options{Pace: Pace{Rate: 100, Duration: 3 * time.Second,
				Silence: time.Minute, Drain: time.Minute}, Requests: requests, Thresholds: []Threshold{gate}})
			leaks := name == "leaks"
			for _, rule := range []string{"load/memory-growth", "load/handles-growth", "load/threshold"} {
				if f := found(report, rule); (f != nil) != leaks {
					t.Errorf("%s: %+v, want found: %v; %+v", rule, f, leaks, sum.Process)
				}
			}
		})
	}
}

// Who stops a load gets what was measured until then; the calls under way count neither way.
func TestRealStopped(t *testing.T) {
	s, requests := meet(t, "stalls-once", "stdio", nil)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	enough := func(l Live) {
		if l.Calls > zoo.StallAt {
			stop()
		}
	}
	report, sum := Run(ctx, s, &Options{Pace: Pace{Rate: 200, Duration: time.Hour}, Requests: requests, Live: enough})
	if report == nil || !sum.Stopped || sum.Errors > 0 || sum.Calls < 1 || sum.Seconds > 600 {
		t.Errorf("%+v; want a part of the load without errors", sum)
	}
}

// Calls are made in turns by their weights, each with a nonce of its own; an answer that is mixed up leads to its
// frames.
func TestRealMix(t *testing.T) {
	log := wire.NewTranscript(nil)
	s, requests := meet(t, "sound", "stdio", log)
	other := &Request{Tool: "t", Arguments: json.RawMessage(`{"m":"other"}`)}
	requests[0].Weight = 3
	_, sum := Run(t.Context(), s, &Options{Pace: Pace{Rate: 100, Duration: 400 * time.Millisecond, Silence: time.Minute,
		Drain: time.Minute}, Requests: append(requests, other)})
	if sum.Calls != 40 || sum.Checked != 30 {
		t.Errorf("%d calls, %d with a nonce; want 40 and 30", sum.Calls, sum.Checked)
	}
	nonces := map[string]bool{}
	for _, f := range log.Since(0) {
		if _, rest, ok := strings.Cut(string(f.Body), `"m":"mcptest`); ok && f.From == wire.Client {
			nonces[rest[:16]] = true
		}
	}
	if len(nonces) != 31 { // with that of the rehearsal
		t.Errorf("%d different nonces, want 31", len(nonces))
	}
}
