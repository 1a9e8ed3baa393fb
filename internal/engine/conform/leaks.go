package conform

import (
	"regexp"
	"strings"
)

// private are names and descriptions of what is meant to return secrets or settings.
var private = regexp.MustCompile(`(?i)secret|token|credential|passw|\benv|environ|api.?key|config|settings|vault|auth|login|connection`)

// meantFor reports whether a tool, a resource or a prompt is about secrets or settings by its own words.
func (r *round) meantFor(name string) bool {
	if private.MatchString(strings.ReplaceAll(name, "_", " ")) {
		return true
	}
	for _, method := range []string{"tools/list", "resources/list", "prompts/list"} {
		list := r.list(method)
		if list == nil {
			continue
		}
		if item, ok := list.Find(name); ok && private.MatchString(TextAt(item.Raw, "/description")) {
			return true
		}
	}
	return false
}
