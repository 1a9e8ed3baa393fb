package fuzz

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// resultSizes are the sizes of the results of a run, for the context that results take.
type resultSizes struct {
	tokens  []int
	longest int // bytes of the content
}

// maxSizes is the number of results that are counted: enough for a median.
const maxSizes = 10_000

// add counts a result that is not an error.
func (s *resultSizes) add(o *observation) {
	if o.parts(); o.content == nil || o.failed || len(s.tokens) == maxSizes {
		return
	}
	s.tokens = append(s.tokens, hosts.Tokens(o.content))
	s.longest = max(s.longest, len(o.content))
}

// report adds the sizes to the metrics of a report, if there were results.
func (s *resultSizes) report(metrics map[string]float64) {
	if len(s.tokens) == 0 {
		return
	}
	slices.Sort(s.tokens)
	metrics["result_tokens_median"] = float64(s.tokens[len(s.tokens)/2])
	metrics["result_tokens_max"] = float64(s.tokens[len(s.tokens)-1])
	metrics["result_bytes_max"] = float64(s.longest)
}
