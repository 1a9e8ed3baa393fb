package suite

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// DecideCoverage evaluates the tests of coverage that shards left undecided, in the merged report of these shards. It
// reports whether one of them failed.
func DecideCoverage(ctx context.Context, merged *finding.Report, shards []*finding.Report) (failed bool, err error) {
	r := &run{used: newUsage()}
	missing := ""
	for _, s := range shards {
		if s.Coverage == nil {
			continue
		}
		r.used.add(s.Coverage.Called)
		missing = missingShard(s.Coverage.Shards, shards)
	}
	for _, s := range shards {
		if s.Coverage == nil {
			continue
		}
		for _, test := range s.Coverage.Tests {
			result := finding.Result{Name: test.Name, Skipped: missing}
			if missing == "" {
				if result.Findings, err = r.decide(ctx, test, &result); err != nil {
					return false, err
				}
			}
			replaceResult(merged, result)
			failed = failed || result.Status() == finding.Failed
		}
	}
	return failed, nil
}

// missingShard says which part of the tests has no report; empty if all have one.
func missingShard(of int, shards []*finding.Report) string {
	seen := map[int]bool{}
	for _, s := range shards {
		if s.Coverage != nil && s.Coverage.Shards == of {
			seen[s.Coverage.Shard] = true
		}
	}
	for n := 1; n <= of; n++ {
		if !seen[n] {
			return fmt.Sprintf("coverage is not computed: the report of shard %d/%d is missing", n, of)
		}
	}
	return ""
}

// decide evaluates one test of coverage.
func (r *run) decide(ctx context.Context, test finding.CoverageTest, result *finding.Result) ([]finding.Finding, error) {
	expect, err := readExpectations(string(test.Expect))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", test.Name, err)
	}
	t := &Test{ID: test.Name, Engine: "coverage", suite: test.Suite, Case: Case{Server: test.Server,
		Position: document.Position{File: test.Where.File, Line: test.Where.Line}}}
	findings := r.covered(ctx, t, test.Tools, expect, scope{}, result)
	for i := range findings {
		findings[i].Where, findings[i].Reproduce = test.Where, test.Reproduce
	}
	return findings, nil
}

// replaceResult replaces the result of a test, and counts it instead of the old one.
func replaceResult(r *finding.Report, result finding.Result) {
	for i, old := range r.Results {
		if old.Name == result.Name && old.Status() == finding.Skipped {
			r.Metrics[string(finding.Skipped)]--
			r.Metrics[string(result.Status())]++
			r.Results[i] = result
		}
	}
}

// json is the expectations as in a suite, with their variables replaced.
func (e *Expectations) json(in scope) (json.RawMessage, error) {
	out := []byte{'['}
	for i, a := range e.All {
		arg, err := in.JSON(a.Arg)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `{"target":%s,"matcher":{%s:%s}}`, quoted(a.Target), quoted(a.Name), arg)
	}
	return append(out, ']'), nil
}
