package conform

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A serverText is the text of a result or an error, and its source.
type serverText struct {
	observation
	text   string
	name   string // the tool, resource or prompt; empty if the request has no name
	failed bool   // it is an error, or a result with isError
}

// texts returns the texts of all results and errors, including those that earlier checks provoked.
func (p *CheckContext) texts(ctx context.Context) []serverText {
	p.provoke(ctx)
	j := &p.round.validator
	var all []serverText
	for _, s := range j.observations(&j.notifications) {
		if s.method == "notifications/message" || s.method == "notifications/progress" {
			all = append(all, serverText{observation: s, text: valueText(s.message.Params)})
		}
	}
	for _, s := range append(j.simplest(&j.results), j.simplest(&j.refused)...) {
		one := serverText{observation: s, text: textsOf(s.message.Result),
			failed: calls.IsError(s.message.Result)}
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

// sent reports whether the request contains a text. A notification has no request.
func (s serverText) sent(text string) bool {
	return len(s.frames) > 1 && strings.Contains(string(s.frames[0].Body), text)
}

// valueText returns the strings of a JSON value in lines, so that they are read as the text that they are.
func valueText(raw json.RawMessage) string {
	if text, ok := schema.Text(raw); ok {
		return text
	}
	var all []string
	members, _ := schema.Members(raw)
	for _, m := range members {
		all = append(all, m.Name+": "+valueText(m.Value))
	}
	return strings.Join(all, "\n")
}

// proof returns the text as evidence of a finding.
func (s serverText) proof() Evidence {
	seen := s.observation.proof()
	if s.name != "" {
		seen.Subject = s.name
	}
	return seen
}

// private matches names and descriptions of items that are meant to return secrets; settings matches those of items
// that may contain them.
var (
	private = lazyregexp.New(`(?i)secret|token|credential|passw|\benv|environ|api.?key|vault|auth|login|` +
		`connection`)
	settings = lazyregexp.New(`(?i)config|settings`)
	// specimens matches what is said about texts that only show what a secret or an instruction to a model looks like.
	specimens = lazyregexp.New(`(?i)\bharmless (?:example|sample|specimen)s?\b|` +
		`\b(?:samples?|examples?|specimens?)\b[^.\n]{0,40}\b(?:harmless|fictitious|fictional|invented|not real|must not be followed|not (?:meant )?to be followed)|` +
		`\b(?:invented|fictitious|fictional|fake|dummy|made-up) (?:\w+ )?(?:secret|credential|key|token|example|sample|prompt injection)s?\b`)
)

// isAbout reports whether the name or description of a tool, resource or prompt matches a pattern.
func (r *revisionRun) isAbout(name string, pattern *regexp.Regexp) bool {
	if pattern.MatchString(strings.ReplaceAll(name, "_", " ")) {
		return true
	}
	for _, method := range []string{"tools/list", "resources/list", "prompts/list"} {
		list := r.list(method)
		if list == nil {
			continue
		}
		if item, ok := list.Find(name); ok && pattern.MatchString(schema.TextAt(item.Raw, "/description")) {
			return true
		}
	}
	return false
}
