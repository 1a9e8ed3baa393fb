package suite

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
)

// maxDisplayed is the maximum length of a value in a message.
const maxDisplayed = match.MaxDisplayed

// flat is the text of a value: a string itself, anything else as JSON.
func flat(raw json.RawMessage) string { return match.Flat(raw) }
