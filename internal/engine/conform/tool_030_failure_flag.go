package conform

import (
	"context"
	"regexp"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool030 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-030",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#error-handling"),
		Doc: `failed call should have isError

The text of the result is an exception, a stack trace or a short text that begins with "Error", and isError is not set.
Clients and models treat it as data: the failure is not counted, retried or shown as a failure.`,
	},
	Needs: "tools",
	Last:  true,
	Run: func(ctx context.Context, p *Pass) error {
		p.callOnce(ctx)
		for _, s := range p.round.judge.simplest(&p.round.judge.results) {
			if s.method != "tools/call" || string(At(s.message.Result, "/isError")) == "true" {
				continue
			}
			if found := failure(textsOf(s.message.Result)); found != "" && !sentIn(s, found) && !wordsRequested(s) {
				seen := s.proof()
				seen.Subject = nameIn(s.frames[0].Body)
				p.once(seen, "result is a failure without isError: expected isError true, got %s", quoted(found))
			}
		}
		return nil
	},
}

// plainFailure matches the start of a short text that reports a failure in words.
var plainFailure = regexp.MustCompile(`^(?:❌ ?)?(?:Error|ERROR|Exception|Failed|Failure):? (?:-?\d+|[a-zA-Z])`)

const shortFailure = 300 // a longer text may be data about failures

var failureWords = regexp.MustCompile(`(?i)error|fail|exception`)

// wordsRequested reports whether the arguments of a call name a failure: its result then talks about failures on request.
func wordsRequested(s sighting) bool {
	return failureWords.Match(At(s.frames[0].Body, "/params/arguments"))
}

// failure returns the part of a short text that shows that it is an exception; empty if it is not one.
func failure(text string) string {
	const longFailure = 2000 // a longer text may be data about failures
	if len(text) > longFailure {
		return ""
	}
	if strings.HasPrefix(text, "Traceback (most recent call last)") {
		return clip.Text(text, 60)
	}
	begins := strings.HasPrefix(text, "Error:") || strings.HasPrefix(text, "Error executing") || strings.HasPrefix(text, "Exception:") || strings.HasPrefix(text, "Uncaught ")
	if len(text) <= shortFailure && plainFailure.MatchString(text) {
		return clip.Text(text, 100)
	}
	if found, ok := exposure.FindException(text); ok && (begins || found.Sure && len(text) < 200) {
		return clip.Text(text, 100)
	}
	return ""
}
