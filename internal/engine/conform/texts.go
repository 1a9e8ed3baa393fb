package conform

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// textsOf joins all texts of a result: content, resource contents and prompt messages.
func textsOf(result json.RawMessage) string {
	var all []string
	for _, blocks := range [][]block{blocksOf(result), contentsOf(result), messageBlocks(result)} {
		for _, b := range blocks {
			if text, ok := schema.Text(At(b.raw, "/text")); ok {
				all = append(all, text)
			}
		}
	}
	return strings.Join(all, "\n")
}

// nameIn returns the tool, resource or prompt that a request names.
func nameIn(request json.RawMessage) string {
	if name := schema.TextAt(request, "/params/name"); name != "" {
		return name
	}
	return schema.TextAt(request, "/params/uri")
}
