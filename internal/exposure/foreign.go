package exposure

import "strings"

// foreignWords are in what is said about tools that return what others wrote: pages, files, mails, logs, code.
var foreignWords = compile(`(?i)\b(?:url|uri|web ?(?:site|page)?s?|pages?|fetch\w*|crawl\w*|scrap\w*|download\w*|files?|` +
	`paths?|e-?mails?|messages?|logs?|source|code|snippets?|issues?|commits?|feeds?)\b`)

// ReturnsForeign reports whether a tool, by the names and its description, returns what others wrote, for which the server is not
// responsible.
func ReturnsForeign(name, description string, arguments []string) bool {
	words := strings.NewReplacer("_", " ", "-", " ").Replace(name + "\n" + strings.Join(arguments, "\n"))
	return foreignWords().MatchString(words + "\n" + description)
}
