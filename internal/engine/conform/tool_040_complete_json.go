package conform

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool040 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-040",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#text-content"),
		Doc: `JSON in a text should be complete

The text is JSON that stops in the middle: it was cut at some length. A program cannot parse it, and a model does not know
what is missing. Return fewer items and say that there are more, or offer a limit and a cursor.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.callOnce(ctx)
		for _, s := range p.round.validator.simplest(&p.round.validator.results) {
			for _, blocks := range [][]block{blocksOf(s.message.Result), contentsOf(s.message.Result)} {
				for _, b := range blocks {
					text, _ := textOf(At(b.raw, "/text"))
					if !cutJSON(text) || sentIn(s, text) {
						continue
					}
					seen := s.proof()
					seen.Subject, seen.Pointer = nameIn(s.frames[0].Body), b.pointer+"/text"
					p.once(seen, "JSON stops in the middle: expected complete JSON, got a text that ends with %s",
						quoted(endOf(text, 40)))
				}
			}
		}
		return nil
	},
}

// minCutTokens is how much of a text must be JSON: less may be an example, or a text with braces.
const minCutTokens = 12

// cutJSON reports whether a text is the start of JSON, and nothing else.
func cutJSON(text string) bool {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return false
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	for tokens := 0; ; tokens++ {
		if _, err := decoder.Token(); err != nil {
			cut := errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
			return cut && tokens >= minCutTokens && !json.Valid([]byte(text)) && !severalValues(text)
		}
	}
}

// severalValues reports whether a text is a list of JSON values, such as one for each line.
func severalValues(text string) bool {
	decoder := json.NewDecoder(strings.NewReader(text))
	for values := 0; ; values++ {
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return errors.Is(err, io.EOF) && values > 1
		}
	}
}

// endOf returns the last characters of a text.
func endOf(text string, most int) string {
	runes := []rune(text)
	return string(runes[max(0, len(runes)-most):])
}
