package catalog

import (
	"encoding/json"
	"fmt"
)

// FromServer reads a tool as a server lists it. Fields of the wrong type count as absent: the list of a server that is
// careless with one of them is still worth having. Only a tool without a name is refused.
func FromServer(server string, raw json.RawMessage) (Tool, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return Tool{}, &InvalidError{Key: Key{Server: server}, Problem: fmt.Sprintf("the definition is not an object: %v", err)}
	}
	t := Tool{
		Name: text(fields["name"]), Server: server, Title: text(fields["title"]), Description: text(fields["description"]),
		Parameters: present(fields["inputSchema"]), Returns: present(fields["outputSchema"]),
		Annotations: present(fields["annotations"]), Metadata: present(fields["_meta"]),
		Source: FromUpstream, Raw: raw,
	}
	t.Run = Run{Upstream: &UpstreamRun{Server: server, Tool: t.Name}}
	return t, t.check()
}

func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
