package engines

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// longArguments is the maximum length of arguments in a command.
const longArguments = 2000

// Reproduce adds the command that reproduces each finding: the call, the replay file, or the run.
func (in *FuzzInput) Reproduce(r *fuzz.Result, o fuzz.Options) {
	used := map[*finding.Finding]bool{}
	for i, f := range r.Found {
		if found := findingOf(r.Report, f, used); found != nil {
			used[found] = true
			found.Reproduce = in.again(f, i, o)
		}
	}
}

// findingOf returns the finding for a defect, whose message may say more. Two may have the same text: each is used once.
func findingOf(r *finding.Report, f *fuzz.Found, used map[*finding.Finding]bool) *finding.Finding {
	for i := range r.Results {
		for j := range r.Results[i].Findings {
			found := &r.Results[i].Findings[j]
			if found.Rule == f.Rule.ID && strings.HasPrefix(found.Message, f.Breach) && !used[found] {
				return found
			}
		}
	}
	return nil
}

func (in *FuzzInput) again(f *fuzz.Found, i int, o fuzz.Options) string {
	server := in.Words()
	if len(f.Steps) == 1 {
		step := f.Steps[0]
		if step.Tool != "" && !step.Cancel && step.Times <= 1 && f.Rule.ID != "FUZZ-011" &&
			len(step.Arguments) <= longArguments {
			return fmt.Sprintf("mcptest tools call %s --no-validate --args %s %s", workbench.QuoteWord(step.Tool),
				workbench.QuoteWord(string(step.Arguments)), server)
		}
	}
	if in.Out != "" && len(f.Steps) > 0 {
		return "mcptest fuzz --replay " + workbench.QuoteWord(foundName(in.Out, i, f)+".json") + " " + server
	}
	words := []string{"mcptest fuzz", fmt.Sprintf("--seed %d", o.Seed)}
	if o.Cases > 0 {
		words = append(words, fmt.Sprintf("--cases %d", o.Cases))
	}
	for _, tool := range o.Tools {
		words = append(words, "--tool "+workbench.QuoteWord(tool))
	}
	for _, flag := range in.flags() {
		words = append(words, "--"+flag)
	}
	return strings.Join(append(words, server), " ")
}

// foundName is the base name of the files of a defect.
func foundName(dir string, i int, f *fuzz.Found) string {
	return filepath.Join(dir, fmt.Sprintf("%02d-%s", i+1, strings.ToLower(f.Rule.ID)))
}
