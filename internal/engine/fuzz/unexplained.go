package fuzz

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/words"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var unexplainedRule = finding.Rule{ID: "FUZZ-032", Severity: finding.Warning,
	Doc: `valid value fails without a reason

The schema allows the value, and the call failed each time with a message such as "Internal error", which a model cannot act
on. The same call succeeded each time with similar values: with dates two weeks before and after it, such as around 29 February,
or in a search with texts that lack one character, such as a parenthesis. The code fails for the value: handle it, escape the
text before it becomes a pattern or a query, or say in the message what is wrong with the value. Tools that say that they take
patterns, queries or code, and messages that say what is wrong, are not reported.`}

// searching matches what is said about a text that is searched for.
var searching = lazyregexp.New(`(?i)search|\bfinds?\b|find_|look(?:s|ed|ing)?[ -_]?up|quer(?:y|ies)|keyword|match`)

// Limits of what is compared.
const (
	maxFailingDays = 3  // dates of an argument that are compared
	nearDays       = 14 // between the dates that are compared: the same day of the week
)

// marks are the characters of natural texts that have a meaning in patterns and queries.
const marks = `([{*+?\"'%&`

// unexplained compares a call that the schema allows, and that failed without a reason, with calls in which one value differs
// slightly.
func unexplained(ctx context.Context, t *fuzzTarget, step Step, s *observation, call caller) *violation {
	if !step.Allowed || step.Cancel || !t.readOnly || t.most > 0 || !s.failsWithoutReason() {
		return nil
	}
	members, _ := schema.Members(step.Arguments)
	for _, m := range members {
		if schema.Kind(m.Value) != '"' {
			continue
		}
		b := t.skipsDate(ctx, step, m, call)
		if b == nil && t.searches(m.Name) {
			b = t.breaksOnMark(ctx, step, m, call)
		}
		if b != nil {
			b.message += ": " + clip.Sized(s.errorText(), maxDisplayed)
			return b
		}
	}
	return nil
}

// failsWithoutReason reports whether a call failed with a message that says neither what is wrong nor what to do.
func (s *observation) failsWithoutReason() bool {
	if !s.responded() || s.Exchange.Reply.Error != nil || !s.parts().failed {
		return false
	}
	return words.GiveNoReason(s.errorText())
}

// skipsDate is the violation of a tool that fails for a date, and not for those two weeks before and after it.
func (t *fuzzTarget) skipsDate(ctx context.Context, step Step, m schema.Member, call caller) *violation {
	layout := map[string]string{"date": time.DateOnly, "date-time": time.RFC3339}[t.propertyText(m.Name, "format")]
	day, err := time.Parse(layout, schema.Plain(m.Value))
	if layout == "" || err != nil {
		return nil
	}
	for i := range maxFailingDays {
		if !t.compares(fmt.Sprint("date ", m.Name, i)) {
			continue
		}
		before, after := day.AddDate(0, 0, -nearDays).Format(layout), day.AddDate(0, 0, nearDays).Format(layout)
		if !t.singlesOut(ctx, step, m.Name, day.Format(layout), [2]string{before, after}, call) {
			return nil
		}
		return &violation{cause: m.Name + " date", message: fmt.Sprintf("the call fails without a reason when %s is %s, and works "+
			"when it is %s or %s", m.Name, day.Format(layout), before, after)}
	}
	return nil
}

// searches reports whether a tool searches for an argument, which is a plain text and neither a pattern nor code.
func (t *fuzzTarget) searches(name string) bool {
	rules, _ := schema.Get(t.input, "/properties/"+schema.Token(name))
	for _, keyword := range []string{"pattern", "format", "enum", "const"} {
		if _, ok := schema.Get(rules, "/"+keyword); ok {
			return false
		}
	}
	return !t.patterns && !t.takesSQL && !t.takesCode(name) && searching().MatchString(t.name+"\n"+
		schema.TextAt(t.raw, "/description")+"\n"+name+"\n"+t.propertyText(name, "description"))
}

// breaksOnMark is the violation of a search that fails for a character, and not for texts without it.
func (t *fuzzTarget) breaksOnMark(ctx context.Context, step Step, m schema.Member, call caller) *violation {
	text := schema.Plain(m.Value)
	for _, mark := range strings.Split(marks, "") {
		if !strings.Contains(text, mark) || !t.compares("mark "+m.Name+" "+mark) {
			continue
		}
		if t.singlesOut(ctx, step, m.Name, "zz"+mark, [2]string{"zz", "zzzz"}, call) {
			return &violation{cause: m.Name + " mark", message: fmt.Sprintf("the call fails without a reason when %s is zz%s, and works "+
				"when it is zz or zzzz", m.Name, mark)}
		}
	}
	return nil
}

// singlesOut reports whether calls with a value always fail without a reason, and calls with two others always succeed. The order
// is irregular: a server that fails in every other call does not follow it.
func (t *fuzzTarget) singlesOut(ctx context.Context, step Step, name, bad string, good [2]string, call caller) bool {
	for _, value := range []string{bad, good[0], bad, bad, good[0], good[1], bad} {
		c, ok := t.variant(step.Case, schema.Member{Name: name, Value: json.RawMessage(rawjson.Quote(value))})
		if !ok {
			return false
		}
		s := call(ctx, t, Step{Case: c}, nil)
		if !s.responded() || accepted(s) == (value == bad) || value == bad && !s.failsWithoutReason() {
			return false
		}
	}
	return true
}

// propertyText is a keyword of an argument in the schema.
func (t *fuzzTarget) propertyText(name, keyword string) string {
	return schema.TextAt(t.input, "/properties/"+schema.Token(name)+"/"+keyword)
}
