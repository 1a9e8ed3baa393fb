package workbench

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// longArguments is how long arguments may be to stand in a command.
const longArguments = 2000

// reproduce adds to each finding the command that shows it again: the call, or the file that holds its steps, or the run.
func (in *FuzzInput) reproduce(r *fuzz.Result, o fuzz.Options) {
	used := map[*finding.Finding]bool{}
	for i, f := range r.Found {
		if found := findingOf(r.Report, f, used); found != nil {
			used[found] = true
			found.Reproduce = in.again(f, i, o)
		}
	}
}

// findingOf is the finding that tells of a defect. Two may read the same: each is taken once.
func findingOf(r *finding.Report, f *fuzz.Found, used map[*finding.Finding]bool) *finding.Finding {
	for i := range r.Results {
		for j := range r.Results[i].Findings {
			found := &r.Results[i].Findings[j]
			if found.Rule == f.Rule.ID && found.Message == f.Breach && !used[found] {
				return found
			}
		}
	}
	return nil
}

func (in *FuzzInput) again(f *fuzz.Found, i int, o fuzz.Options) string {
	server := in.words()
	if len(f.Steps) == 1 {
		step := f.Steps[0]
		if step.Tool != "" && !step.Cancel && step.Times <= 1 && f.Rule.ID != "FUZZ-011" && len(step.Arguments) <= longArguments {
			return fmt.Sprintf("mcptest tools call %s --no-validate --args %s %s", quoteWord(step.Tool), quoteWord(string(step.Arguments)), server)
		}
	}
	if in.Out != "" && len(f.Steps) > 0 {
		return "mcptest fuzz --replay " + quoteWord(foundName(in.Out, i, f)+".json") + " " + server
	}
	words := []string{"mcptest fuzz", fmt.Sprintf("--seed %d", o.Seed)}
	if o.Cases > 0 {
		words = append(words, fmt.Sprintf("--cases %d", o.Cases))
	}
	for _, tool := range o.Tools {
		words = append(words, "--tool "+quoteWord(tool))
	}
	for _, flag := range in.flags() {
		words = append(words, "--"+flag)
	}
	return strings.Join(append(words, server), " ")
}

// foundName is what the files of a defect are called, without their extension.
func foundName(dir string, i int, f *fuzz.Found) string {
	return filepath.Join(dir, fmt.Sprintf("%02d-%s", i+1, strings.ToLower(f.Rule.ID)))
}
