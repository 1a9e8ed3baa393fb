// Package words recognizes what the results of calls say in words: that there is nothing to return, that an argument is
// missing or unknown, that calls are limited, or only that something failed.
package words

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// MaxMessage is the length up to which a text is read as a message; a longer one is data.
const MaxMessage = 400

// Of is the text of a response: the message and the data of an error, or the texts of the content.
func Of(reply *mcp.Message) string {
	if reply.Error != nil {
		return reply.Error.Message + "\n" + string(reply.Error.Data)
	}
	content, _ := schema.Get(reply.Result, "/content")
	blocks, _ := schema.Elements(content)
	var all []string
	for _, b := range blocks {
		if raw, ok := schema.Get(b, "/text"); ok {
			all = append(all, schema.Plain(raw))
		}
	}
	return strings.Join(all, "\n")
}

// Shown is content for a message: its text if it is nothing else.
func Shown(content json.RawMessage) string {
	blocks, err := schema.Elements(content)
	if err == nil && len(blocks) == 1 && schema.TextAt(blocks[0], "/type") == "text" {
		return schema.TextAt(blocks[0], "/text")
	}
	return string(content)
}

// HaveName reports whether a message has a name as a word.
func HaveName(said, name string) bool {
	return regexp.MustCompile(`(?i)(?:^|[^\w-])` + regexp.QuoteMeta(name) + `(?:$|[^\w-])`).MatchString(said)
}

// Mention reports whether a message has a name or a value, also as several words: start_date as "start date", too.
func Mention(said, name string) bool {
	if name == "" || len(name) > MaxMessage {
		return false
	}
	spaced := strings.NewReplacer("_", "[-_ ]", "-", "[-_ ]").Replace(regexp.QuoteMeta(name))
	return regexp.MustCompile(`(?i)(?:^|[^\pL\d_-])` + spaced + `(?:$|[^\pL\d_-])`).MatchString(said)
}
