package conform

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// merge makes one result of what a check came to in each revision. A finding that several revisions share is told once,
// and says in which of them where it is not in all.
func merge(rounds []*round, check int, floor finding.Severity) finding.Result {
	merged := rounds[0].results[check]
	merged.Findings = nil
	seen := map[string][]string{}
	for _, r := range rounds {
		result := r.results[check]
		for _, f := range result.Findings {
			if floor != "" && !f.Severity.AtLeast(floor) {
				continue
			}
			key := f.Where.Subject + "\x00" + f.Where.Pointer + "\x00" + f.Message
			if seen[key] == nil {
				merged.Findings = append(merged.Findings, f)
			}
			seen[key] = append(seen[key], r.revision.ID)
		}
		if r != rounds[0] {
			merged.Elapsed += result.Elapsed
			merged.Attempts = max(merged.Attempts, result.Attempts)
			if merged.Broken == "" {
				merged.Broken = result.Broken
			}
			if result.Skipped == "" {
				merged.Skipped = "" // it did apply somewhere
			}
		}
	}
	if len(rounds) == 1 {
		return merged
	}
	for i := range merged.Findings {
		f := &merged.Findings[i]
		in := seen[f.Where.Subject+"\x00"+f.Where.Pointer+"\x00"+f.Message]
		if in = slices.Compact(in); len(in) < len(rounds) {
			f.Message += " (in " + strings.Join(in, ", ") + ")"
		}
	}
	return merged
}
