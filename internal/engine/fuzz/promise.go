package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/words"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var choiceRule = finding.Rule{ID: "FUZZ-028", Severity: finding.Warning,
	Doc: `value of an enum is rejected

The schema lists a value for an argument, and the tool rejected it as unsupported or unknown in every call with it. It
accepted another value of the list with the same other arguments. A model that reads the schema uses the value and fails.
Support the value, or remove it from the schema.`}

// maxOthers limits the values and the samples that are compared with a rejected call.
const maxOthers = 4

// breaksPromise compares a call that the schema allows and the tool rejected with calls that differ in the argument that
// the message is about.
func (r *runner) breaksPromise(ctx context.Context, t *fuzzTarget, step Step, s *observation) (finding.Rule, *violation) {
	if !step.Allowed || step.Cancel || s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error != nil ||
		!s.parts().failed {
		return finding.Rule{}, nil
	}
	said := s.errorText()
	if len(said) > maxDisplayed || words.LimitCalls(said) {
		return finding.Rule{}, nil
	}
	if b := r.rejectsChoice(ctx, t, step, said); b != nil {
		return choiceRule, b
	}
	if b := r.needsOmitted(ctx, t, step, said); b != nil {
		return demandProperty.Rule, b
	}
	return finding.Rule{}, nil
}

// compares reports whether something about a tool was not compared yet: the same messages come often.
func (t *fuzzTarget) compares(what string) bool {
	if t.compared == nil {
		t.compared = map[string]bool{}
	}
	if t.compared[what] {
		return false
	}
	t.compared[what] = true
	return true
}

// rejectsChoice is the violation of a tool that rejects a value that the schema lists.
func (r *runner) rejectsChoice(ctx context.Context, t *fuzzTarget, step Step, said string) *violation {
	if !words.RejectValue(said) {
		return nil
	}
	for _, choice := range t.gen.Choices() {
		value, ok := schema.Get(step.Arguments, "/"+schema.Token(choice.Name))
		if !ok || !choice.Has(value) || !words.Mention(said, choice.Name) && !words.Mention(said, schema.Plain(value)) ||
			aboutOthers(said, step.Arguments, choice.Name) || !t.compares("choice "+choice.Name+" "+string(value)) {
			continue
		}
		if !r.succeedsWithout(ctx, t, step, choice, value) || !r.failsAlways(ctx, t, choice.Name, value) {
			continue
		}
		return &violation{cause: choice.Name + " " + string(value), message: "the schema lists " +
			clip.Sized(string(value), maxDisplayed/4) + " for " + choice.Name + ", and the tool rejects it: " +
			clip.Sized(said, maxDisplayed)}
	}
	return nil
}

// aboutOthers reports whether a message names another argument, or its value: then the combination may be what is
// rejected.
func aboutOthers(said string, arguments json.RawMessage, name string) bool {
	members, _ := schema.Members(arguments)
	return slices.ContainsFunc(members, func(m schema.Member) bool {
		value := schema.Plain(m.Value)
		return m.Name != name && (words.Mention(said, m.Name) || value != "" && words.Mention(said, value))
	})
}

// succeedsWithout reports whether the call succeeds with another value of the list.
func (r *runner) succeedsWithout(ctx context.Context, t *fuzzTarget, step Step, c cases.Choice, rejected json.RawMessage) bool {
	tried := 0
	for _, value := range c.Values {
		if bytes.Equal(value, rejected) {
			continue
		}
		other, ok := t.variant(step.Case, schema.Member{Name: c.Name, Value: value})
		if tried++; !ok || tried > maxOthers {
			continue
		}
		if again := r.send(ctx, t, Step{Case: other}, nil); again.responded() && accepted(again) {
			return true
		}
	}
	return false
}

// failsAlways reports whether calls with a value are rejected as unsupported whatever the other arguments are: with the
// samples, and with other values of the lists of other arguments.
func (r *runner) failsAlways(ctx context.Context, t *fuzzTarget, name string, value json.RawMessage) bool {
	samples := t.gen.Samples()
	for _, c := range t.gen.Choices() {
		for _, other := range c.Values[:min(len(c.Values), maxOthers)] {
			if varied, ok := t.variant(samples[0], schema.Member{Name: c.Name, Value: other}); ok && c.Name != name {
				samples = append(samples, varied)
			}
		}
	}
	tried := map[string]bool{}
	for _, sample := range samples {
		varied, ok := t.variant(sample, schema.Member{Name: name, Value: value})
		if !ok || tried[string(varied.Arguments)] || len(tried) > 3*maxOthers {
			continue
		}
		tried[string(varied.Arguments)] = true
		again := r.send(ctx, t, Step{Case: varied}, nil)
		if !again.responded() || accepted(again) || !words.RejectValue(again.errorText()) {
			return false
		}
	}
	return true
}

// needsOmitted is the violation of a tool that requests an argument which the schema calls optional, if the same call
// with the argument succeeds.
func (r *runner) needsOmitted(ctx context.Context, t *fuzzTarget, step Step, said string) *violation {
	if !words.MayRequest(said) {
		return nil
	}
	name := ""
	for _, property := range t.properties {
		if !words.Mention(said, property) {
			continue
		}
		if name != "" {
			return nil // one of several may be enough
		}
		name = property
	}
	if name == "" || t.saysWhenRequired(name) {
		return nil
	}
	if _, present := schema.Get(step.Arguments, "/"+schema.Token(name)); present || !t.compares("omitted "+name) {
		return nil
	}
	for _, sample := range t.gen.Samples() {
		value, ok := schema.Get(sample.Arguments, "/"+schema.Token(name))
		if !ok || string(value) == "null" {
			continue
		}
		with, ok := t.variant(step.Case, schema.Member{Name: name, Value: value})
		if !ok {
			continue
		}
		added := r.send(ctx, t, Step{Case: with}, nil)
		if !added.responded() || !accepted(added) {
			continue
		}
		if again := r.send(ctx, t, step, nil); !again.responded() || !again.parts().failed {
			return nil // it may succeed or not for another reason
		}
		return &violation{cause: name, message: name + " is requested, although the schema calls it optional, and the call " +
			"succeeds with it: " + clip.Sized(said, maxDisplayed)}
	}
	return nil
}

var conditional = lazyregexp.New(`(?i)\brequire[ds]?\b|\bmandatory\b|\bmust\b|\bneeded\b`)

// saysWhenRequired reports whether the description of an argument says when it is required, which few schemas can state.
func (t *fuzzTarget) saysWhenRequired(name string) bool {
	return conditional().MatchString(schema.TextAt(t.input, "/properties/"+schema.Token(name)+"/description"))
}
