package conform

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// remembers matches the description of a tool that says that its result depends on earlier calls.
var remembers = lazyregexp.New(`(?i)\bcach|\bsince (?:the |your )?(?:last|previous|earlier)|\b(?:first|second|last|previous) (?:time|call)|` +
	`\bearlier calls?\b|\bmiss\b.{0,80}\bhit\b|\bhow often\b`)

// resultWords match the words of a result.
var resultWords = lazyregexp.New(`[\p{L}\p{N}_.]+`)

// counters are words before a number that counts calls.
var counters = strings.Fields("call calls count counts hit hits request requests remaining seen used uses age uptime")

// historySeverity is the severity of a result that depends on earlier calls: a note if the tool says so, or if only a mark differs,
// such as MISS and HIT, while the data is the same.
func historySeverity(t Tool, expected, got *mcp.Exchange) finding.Severity {
	if remembers().MatchString(schema.TextAt(t.Definition, "/description")) ||
		isMark(string(At(expected.Reply.Result, "/content")), string(At(got.Reply.Result, "/content"))) {
		return finding.Info
	}
	return finding.Warning
}

// isMark reports whether two results have the same words except for one: a word that is no number, or a number that counts.
func isMark(expected, got string) bool {
	a, b := resultWords().FindAllString(expected, -1), resultWords().FindAllString(got, -1)
	if len(a) != len(b) {
		return false
	}
	differs := -1
	for i := range a {
		switch {
		case a[i] == b[i]:
		case differs >= 0:
			return false
		default:
			differs = i
		}
	}
	const alone = 4 // "type", "text", "text" and a word: the whole result differs
	if differs < 1 || len(a) <= alone || isNumber(a[differs]) != isNumber(b[differs]) {
		return false
	}
	if isNumber(a[differs]) {
		return slices.Contains(counters, strings.ToLower(a[differs-1]))
	}
	return slices.Contains(marks, strings.ToLower(a[differs])) && slices.Contains(marks, strings.ToLower(b[differs]))
}

// marks are words about how a result was obtained. Another word may be data.
var marks = strings.Fields("hit miss true false yes no fresh stale warm cold new old first again computed stored memo memoized reused live")

var wholeNumber = lazyregexp.New(`^[\d.]+$`)

func isNumber(word string) bool { return wholeNumber().MatchString(word) }
