package catalog

import "encoding/json"

// FromServer reads a tool as a server lists it. Fields of the wrong type count as absent: the list of a server that is
// careless with one of them is still worth having. Only a tool without a name is refused.
func FromServer(server string, raw json.RawMessage) (Tool, error) {
	t := Tool{Server: server, Source: FromUpstream, Raw: raw}
	err := members(raw, func(name string, value json.RawMessage) error {
		switch name {
		case "name":
			t.Name = text(value)
		case "title":
			t.Title = text(value)
		case "description":
			t.Description = text(value)
		case "inputSchema":
			t.Parameters = present(value)
		case "outputSchema":
			t.Returns = present(value)
		case "annotations":
			t.Annotations = present(value)
		case "_meta":
			t.Metadata = present(value)
		}
		return nil
	})
	if err != nil {
		return Tool{}, &InvalidError{Key: Key{Server: server}, Problem: "the definition cannot be read: " + err.Error()}
	}
	t.Run = Run{Upstream: &UpstreamRun{Server: server, Tool: t.Name}}
	return t, t.check()
}

// derived tells whether all that a server says of a tool is what its raw definition says, and returns the tool without
// it: so the store has a definition once.
func (t *Tool) derived() (Tool, bool) {
	if t.Source != FromUpstream || t.Raw == nil {
		return Tool{}, false
	}
	said, err := FromServer(t.Server, t.Raw)
	if err != nil {
		return Tool{}, false
	}
	rest := *t
	rest.Title, rest.Description, rest.Parameters, rest.Returns = "", "", nil, nil
	rest.Annotations, rest.Metadata, rest.Run = nil, nil, Run{}
	said.addOwn(&rest)
	return rest, said.Name == t.Name && string(said.encode()) == string(t.encode())
}

// addOwn adds what the catalog itself keeps of a tool to what a server says of it.
func (t *Tool) addOwn(own *Tool) {
	t.Version, t.Stale, t.Tags, t.Timeout, t.Validators = own.Version, own.Stale, own.Tags, own.Timeout, own.Validators
	t.RegisteredAt, t.UpdatedAt = own.RegisteredAt, own.UpdatedAt
}

// restore undoes derived.
func (t *Tool) restore() error {
	if t.Source != FromUpstream || t.Raw == nil || t.Run != (Run{}) {
		return nil
	}
	said, err := FromServer(t.Server, t.Raw)
	if err != nil {
		return err
	}
	said.addOwn(t)
	*t = said
	return nil
}
