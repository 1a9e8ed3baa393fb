package conform

import (
	"context"
	"regexp"
	"strings"
)

// A saying is the text of a result or an error, and who said it.
type saying struct {
	sighting
	text   string
	name   string // the tool, resource or prompt; empty if the request names none
	failed bool   // it is an error, or a result with isError
}

// said are the texts of all results and errors, those that the checks before provoked included.
func (p *Pass) said(ctx context.Context) []saying {
	p.provoke(ctx)
	j := &p.round.judge
	var all []saying
	for _, s := range append(j.seen(&j.results), j.seen(&j.refused)...) {
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

// proof is the saying as a finding shows it.
func (s saying) proof() Seen {
	seen := s.sighting.proof()
	if s.name != "" {
		seen.Subject = s.name
	}
	return seen
}

// private are names and descriptions of what is meant to return secrets or settings.
var private = regexp.MustCompile(`(?i)secret|token|credential|passw|\benv|environ|api.?key|config|settings|vault|auth|login|connection`)

// meantFor reports whether a tool, a resource or a prompt is about secrets or settings by its own words.
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
