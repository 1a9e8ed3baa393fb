package schema

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// maxMentioned is how many examples of a description are used.
const maxMentioned = 3

// mention matches a list of examples in a description: each is a word or a quoted text.
var mention = lazyregexp.New("(?i)(?:such as|e\\.g\\.|for example|examples?:|like|known:)[,:]?\\s+" +
	"((?:" + mentionedValue + ")(?:(?:,\\s*(?:or |and )?|\\s+(?:or|and)\\s+)(?:" + mentionedValue + "))*)")

const mentionedValue = "\"[^\"]{1,60}\"|'[^']{1,60}'|`[^`]{1,60}`|“[^”]{1,60}”|[^\\s\"'`“”,;()]+"

var oneMentioned = lazyregexp.New(mentionedValue)

// Mentioned returns the examples that a description gives for a value: the words after "such as", "e.g." and the like.
func Mentioned(description string) []string {
	var all []string
	for _, found := range mention().FindAllStringSubmatch(description, maxMentioned) {
		for _, one := range oneMentioned().FindAllString(found[1], -1) {
			value := strings.TrimRight(strings.Trim(one, "\"'`“”"), ".:!?")
			if value != "" && value != "or" && value != "and" && len(all) < maxMentioned {
				all = append(all, value)
			}
		}
	}
	return all
}
