package suite

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
)

// maxDisplayed is the maximum length of a value in a message.
const maxDisplayed = match.MaxDisplayed

// flat is the text of a value: a string itself, anything else as JSON.
func flat(raw json.RawMessage) string { return match.Flat(raw) }

// A scope resolves ${name}.
type scope = variables.Scope

func quoted(text string) json.RawMessage { return variables.Quoted(text) }

// OneLine keeps server text from breaking out of a comment.
func OneLine(text string) string {
	return clip.Sized(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0x7f {
			return ' '
		}
		return r
	}, text), maxDisplayed)
}
