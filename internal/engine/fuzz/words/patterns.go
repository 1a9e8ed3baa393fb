package words

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// patternWords are in what is said about an argument that is a pattern.
var patternWords = lazyregexp.New(`(?i)reg(?:ular )?-?ex|pattern|grep|glob|expression`)

// TakesPatterns reports whether a tool says that it takes regular expressions, so that some texts are invalid.
func TakesPatterns(tool json.RawMessage) bool {
	texts := schema.TextAt(tool, "/name") + "\n" + schema.TextAt(tool, "/description")
	properties, _ := schema.Get(tool, "/inputSchema/properties")
	members, _ := schema.Members(properties)
	for _, m := range members {
		texts += "\n" + m.Name + "\n" + schema.TextAt(m.Value, "/description")
	}
	return patternWords().MatchString(texts)
}
