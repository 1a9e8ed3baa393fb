package hostrun

import (
	"encoding/json"
	"maps"
	"strings"
)

// modelKey is the API key that hosts send to the scripted model. It is not a secret.
const modelKey = "scripted-model"

// serversJSON returns a config file with the server, in the format that most hosts read.
func serversJSON(s Setup, more map[string]any) string {
	entry := map[string]any{"command": s.Command[0], "args": s.Command[1:]}
	maps.Copy(entry, more)
	text, _ := json.Marshal(map[string]any{"mcpServers": map[string]any{s.Server: entry}})
	return string(text)
}

// mergeJSON joins the members of two objects.
func mergeJSON(a, b string) string {
	return strings.TrimSuffix(a, "}") + "," + strings.TrimPrefix(b, "{")
}

// quote returns a basic string of TOML, whose escapes include those of JSON.
func quote(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

func quoteAll(words []string) string {
	var all []string
	for _, word := range words {
		all = append(all, quote(word))
	}
	return strings.Join(all, ", ")
}
