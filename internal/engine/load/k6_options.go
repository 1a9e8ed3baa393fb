package load

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// k6Options are the pace and the thresholds as k6 options.
func k6Options(o *Options) map[string]any {
	return map[string]any{
		"scenarios":         map[string]any{"load": k6Scenario(o.Pace)},
		"thresholds":        k6Thresholds(o.Thresholds),
		"summaryTrendStats": []string{"min", "avg", "med", "p(90)", "p(95)", "p(99)", "p(99.9)", "max"},
	}
}

// manyVUs is the number of virtual users that k6 allocates before it starts.
const manyVUs = 200

func k6Scenario(p Pace) map[string]any {
	length := func(d time.Duration) string { return fmt.Sprintf("%dms", d.Milliseconds()) }
	stages := func(target int) []any {
		all := []any{map[string]any{"target": target, "duration": length(p.Ramp)}}
		if p.Duration > p.Ramp {
			all = append(all, map[string]any{"target": target, "duration": length(p.Duration - p.Ramp)})
		}
		return all
	}
	most := p.withDefaults().Concurrency
	if p.Rate == 0 {
		if p.Ramp == 0 {
			return map[string]any{"executor": "constant-vus", "vus": most, "duration": length(p.Duration)}
		}
		return map[string]any{"executor": "ramping-vus", "startVUs": 0, "stages": stages(most)}
	}
	rate, unit := p.Rate, "1s"
	if rate != math.Trunc(rate) {
		rate, unit = rate*3600, "1h"
	}
	target := max(int(math.Round(rate)), 1)
	room := min(max(int(p.Rate), 1), most, manyVUs)
	scenario := map[string]any{"timeUnit": unit, "preAllocatedVUs": room,
		"maxVUs": max(room, min(most, max(int(p.Rate)*10, 50)))}
	if p.Ramp == 0 {
		scenario["executor"], scenario["rate"], scenario["duration"] = "constant-arrival-rate", target,
			length(p.Duration)
		return scenario
	}
	scenario["executor"], scenario["startRate"], scenario["stages"] = "ramping-arrival-rate", 0, stages(target)
	return scenario
}

// k6Metric is the k6 metric of a threshold, and the k6 name of the figure; empty if there is none.
func k6Metric(t Threshold) (metric, figure string) {
	const latency, count = "http_req_duration{kind:call}", "http_reqs{kind:call}"
	switch t.figure {
	case "p50_ms", "p90_ms", "p95_ms", "p99_ms", "p99.9_ms":
		return latency, "p(" + strings.TrimSuffix(strings.TrimPrefix(t.figure, "p"), "_ms") + ")"
	case "max_ms", "min_ms":
		return latency, strings.TrimSuffix(t.figure, "_ms")
	case "mean_ms":
		return latency, "avg"
	case "rate":
		return count, "rate"
	case "calls":
		return count, "count"
	case "errors":
		return "mcp_errors", "count"
	case "error_percent":
		return "mcp_failed", "rate"
	case "unsent":
		return "dropped_iterations", "count"
	case "mixed_up":
		return "mcp_mixed_up", "count"
	}
	return "", ""
}

func k6Thresholds(thresholds []Threshold) map[string][]string {
	all := map[string][]string{}
	if !about(thresholds, "mixed_up") {
		all["mcp_mixed_up"] = []string{"count<=0"}
	}
	if !about(thresholds, "errors", "error_percent") {
		all["mcp_failed"] = []string{fmt.Sprintf("rate<%v", errorShare/100.)}
	}
	for _, t := range thresholds {
		metric, figure := k6Metric(t)
		if metric == "" {
			continue
		}
		limit := t.limit
		if t.figure == "error_percent" {
			limit /= 100
		}
		all[metric] = append(all[metric], figure+t.relation+strconv.FormatFloat(limit, 'f', -1, 64))
	}
	return all
}
