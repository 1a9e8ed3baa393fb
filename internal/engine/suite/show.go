package suite

import (
	"encoding/json"

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
