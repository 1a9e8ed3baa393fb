package conform

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// merge combines the results of a check in each revision into one. A finding that several revisions share is reported
// once, with the revisions if it does not occur in all of them.
func merge(rounds []*revisionRun, check int, floor finding.Severity) finding.Result {
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
				merged.Skipped = "" // it did apply in another revision
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
