package load

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

//go:embed k6.js
var k6Body string

// A k6Request is a request as the script sends it. {{id}} and {{nonce}} stand for what differs from call to call.
type k6Request struct {
	Tool   string            `json:"tool"`
	Body   string            `json:"body"`
	Header map[string]string `json:"headers"`
	Echoes bool              `json:"echoes"`
}

// A k6Plan is what the script is made for.
type k6Plan struct {
	URL      string            `json:"url"`
	Legacy   string            `json:"legacy,omitempty"` // the revision to shake hands for; modern servers need none
	Secrets  map[string]string `json:"secrets"`          // headers that come from variables of the environment
	Requests []k6Request       `json:"requests"`         // in turns
}

// K6 writes the load as a script for k6, which can make it from many machines at once. The requests are those that were
// sent when they were tried. Headers that were given for the server are not in the script: it takes them from the
// environment.
func K6(s *mcp.Session, o *Options) ([]byte, error) {
	target := s.Target()
	if target.URL == "" {
		return nil, fmt.Errorf("%s is not reached by HTTP", target)
	}
	plan := k6Plan{URL: target.URL, Secrets: map[string]string{}}
	if s.Era == mcp.Legacy {
		plan.Legacy = s.Version
	}
	for name := range target.Header {
		plan.Secrets[name] = "MCPTEST_" + strings.ToUpper(notWord.ReplaceAllString(name, "_"))
	}
	for _, r := range turns(o.Requests) {
		if r.sent.Body == nil {
			return nil, errors.New("the requests have not been tried")
		}
		plan.Requests = append(plan.Requests, k6RequestOf(r))
	}
	options := map[string]any{"scenarios": map[string]any{"load": k6Scenario(o.Pace)}, "thresholds": k6Thresholds(o.Thresholds)}
	var out bytes.Buffer
	fmt.Fprintf(&out, "// A load on an MCP server, written by mcptest: %s. Run it with: k6 run FILE\n", o.Pace)
	for _, name := range slices.Sorted(mapValues(plan.Secrets)) {
		fmt.Fprintf(&out, "// It wants the variable %s: k6 run -e %s=… FILE\n", name, name)
	}
	for _, t := range o.Thresholds {
		if k6Metric(t) == "" {
			fmt.Fprintf(&out, "// Not in this script, since k6 does not measure it: %s\n", t.Name)
		}
	}
	fmt.Fprintf(&out, "%s\nexport const options = %s;\n\nconst plan = %s;\n%s", k6Imports, script(options), script(plan), k6Body)
	return out.Bytes(), nil
}

const k6Imports = "import http from 'k6/http';\nimport { check } from 'k6';\nimport { Counter } from 'k6/metrics';\nimport exec from 'k6/execution';\n"

var notWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

func mapValues(m map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, v := range m {
			if !yield(v) {
				return
			}
		}
	}
}

// script is a value as JavaScript. The separators that JSON allows in texts and old JavaScript does not are escaped by the
// encoder.
func script(value any) string {
	raw, _ := json.MarshalIndent(value, "", "  ") // plain data always marshals
	return string(raw)
}

// idMember is where a request of ours has its id.
var idMember = regexp.MustCompile(`"id":\d+`)

func k6RequestOf(r *Request) k6Request {
	body := strings.ReplaceAll(string(r.sent.Body), rehearsed, Nonce)
	if at := idMember.FindStringIndex(body); at != nil {
		body = body[:at[0]] + `"id":{{id}}` + body[at[1]:]
	}
	out := k6Request{Tool: r.Tool, Body: body, Echoes: r.Echoes, Header: map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}}
	for name, values := range r.sent.Header {
		if name = http.CanonicalHeaderKey(name); strings.HasPrefix(name, "Mcp-") && name != "Mcp-Session-Id" && len(values) > 0 {
			out.Header[name] = values[0]
		}
	}
	return out
}

// k6Scenario is the pace in the words of k6.
func k6Scenario(p Pace) map[string]any {
	length := func(d time.Duration) string { return fmt.Sprintf("%dms", d.Milliseconds()) }
	if p.Rate == 0 {
		if p.Ramp == 0 {
			return map[string]any{"executor": "constant-vus", "vus": max(p.Concurrency, 1), "duration": length(p.Duration)}
		}
		return map[string]any{"executor": "ramping-vus", "startVUs": 0, "stages": []any{
			map[string]any{"target": p.Concurrency, "duration": length(p.Ramp)}, map[string]any{"target": p.Concurrency, "duration": length(p.Duration - p.Ramp)}}}
	}
	rate, unit := p.Rate, "1s"
	if rate != math.Trunc(rate) {
		rate, unit = rate*3600, "1h"
	}
	target := max(int(math.Round(rate)), 1)
	most := p.withDefaults().Concurrency
	scenario := map[string]any{"timeUnit": unit, "preAllocatedVUs": min(max(int(p.Rate), 1), most, 200), "maxVUs": min(most, max(int(p.Rate)*10, 50))}
	if p.Ramp == 0 {
		scenario["executor"], scenario["rate"], scenario["duration"] = "constant-arrival-rate", target, length(p.Duration)
		return scenario
	}
	scenario["executor"], scenario["startRate"] = "ramping-arrival-rate", 0
	scenario["stages"] = []any{map[string]any{"target": target, "duration": length(p.Ramp)}, map[string]any{"target": target, "duration": length(p.Duration - p.Ramp)}}
	return scenario
}

// k6Metric is the metric that a threshold is about in k6, with what k6 calls the figure; empty where it has none.
func k6Metric(t Threshold) string {
	const latency = "http_req_duration{kind:call}"
	switch t.figure {
	case "p50_ms", "p90_ms", "p95_ms", "p99_ms", "p99.9_ms":
		return latency + " p(" + strings.TrimSuffix(strings.TrimPrefix(t.figure, "p"), "_ms") + ")"
	case "max_ms", "min_ms":
		return latency + " " + strings.TrimSuffix(t.figure, "_ms")
	case "mean_ms":
		return latency + " avg"
	case "rate":
		return "http_reqs{kind:call} rate"
	case "calls":
		return "http_reqs{kind:call} count"
	case "errors":
		return "mcp_errors count"
	case "mixed_up":
		return "mcp_mixed_up count"
	}
	return ""
}

func k6Thresholds(thresholds []Threshold) map[string][]string {
	all := map[string][]string{"mcp_mixed_up": {"count<=0"}}
	if !about(thresholds, "errors", "error_percent") {
		all["checks"] = []string{fmt.Sprintf("rate>%v", 1-errorShare/100.)}
	}
	for _, t := range thresholds {
		if metric, figure, ok := strings.Cut(k6Metric(t), " "); ok {
			all[metric] = append(all[metric], fmt.Sprintf("%s%s%v", figure, t.relation, t.limit))
		}
	}
	return all
}
