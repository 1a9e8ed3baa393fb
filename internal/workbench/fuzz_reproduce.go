package workbench

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/redact"
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
	server := in.targetWords()
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

// targetWords is how a command names the server, and how it is reached.
func (in *FuzzInput) targetWords() string {
	c := in.Connection
	words := connectionWords(&c)
	if in.open != nil {
		t := in.open.Target()
		c.Target, c.Command = t.URL, t.Command
		if t.URL == "" && (len(t.Command) == 0 || t.Name != "") {
			c.Target, c.Command = t.String(), nil
		}
	}
	if len(c.Command) == 0 {
		return strings.Join(append(words, quoteWord(c.Target)), " ")
	}
	words = append(words, "--")
	for _, word := range c.Command {
		words = append(words, quoteWord(word))
	}
	return strings.Join(words, " ")
}

// connectionWords are the options by which the server is reached. Values that may be secret stay out: a variable is passed on
// from the environment, and the person puts the header in.
func connectionWords(c *Connection) []string {
	var words []string
	for _, said := range []struct{ flag, value string }{{"--protocol", c.Protocol}, {"--config", c.Config}, {"--cwd", c.Cwd}} {
		if said.value != "" {
			words = append(words, said.flag+" "+quoteWord(said.value))
		}
	}
	for _, pair := range c.Env {
		if name, _, _ := strings.Cut(pair, "="); redact.SecretName(name) {
			pair = name
		}
		words = append(words, "--env "+quoteWord(pair))
	}
	for _, pair := range c.Header {
		if name, value, _ := strings.Cut(pair, ":"); !strings.HasPrefix(strings.TrimSpace(value), "$") && !strings.HasPrefix(strings.TrimSpace(value), "@") {
			pair = name + ": …"
		}
		words = append(words, "--header "+quoteWord(pair))
	}
	if c.Insecure {
		words = append(words, "--insecure")
	}
	return words
}
