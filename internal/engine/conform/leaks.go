package conform

import (
	"context"
	"regexp"
	"strings"
)

// A saying is the text of a result or an error, and its source.
type saying struct {
	sighting
	text   string
	name   string // the tool, resource or prompt; empty if the request has no name
	failed bool   // it is an error, or a result with isError
}

// said returns the texts of all results and errors, including those that earlier checks provoked.
func (p *Pass) said(ctx context.Context) []saying {
	p.provoke(ctx)
	j := &p.round.judge
	var all []saying
	for _, s := range append(j.simplest(&j.results), j.simplest(&j.refused)...) {
		one := saying{sighting: s, text: textsOf(s.message.Result), failed: string(At(s.message.Result, "/isError")) == "true"}
		if e := s.message.Error; e != nil {
			one.text, one.failed = e.Message+"\n"+string(e.Data), true
		}
		if len(s.frames) > 1 {
			one.name = nameIn(s.frames[0].Body)
		}
		all = append(all, one)
	}
	return all
}

// proof returns the saying as evidence of a finding.
func (s saying) proof() Seen {
	seen := s.sighting.proof()
	if s.name != "" {
		seen.Subject = s.name
	}
	return seen
}

// private matches names and descriptions of items that are meant to return secrets or settings.
var private = regexp.MustCompile(`(?i)secret|token|credential|passw|\benv|environ|api.?key|config|settings|vault|auth|login|connection`)

// meantFor reports whether the name or description of a tool, resource or prompt mentions secrets or settings.
func (r *round) meantFor(name string) bool {
	if private.MatchString(strings.ReplaceAll(name, "_", " ")) {
		return true
	}
	for _, method := range []string{"tools/list", "resources/list", "prompts/list"} {
		list := r.list(method)
		if list == nil {
			continue
		}
		if item, ok := list.Find(name); ok && private.MatchString(TextAt(item.Raw, "/description")) {
			return true
		}
	}
	return false
}
