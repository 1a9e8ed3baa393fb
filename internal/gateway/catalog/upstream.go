package catalog

import "encoding/json"

// FromServer decodes a tool as a server lists it. Fields of the wrong type count as absent: a list with such a field is
// still useful. Only a tool without a name is rejected.
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
		return Tool{}, &InvalidError{Key: Key{Server: server}, Problem: "cannot read the definition: " + err.Error()}
	}
	t.Run = Run{Upstream: &UpstreamRun{Server: server, Tool: t.Name}}
	return t, t.check()
}

// derived reports whether all server data of a tool can be derived from its raw definition, and returns the tool
// without that data: so the store contains a definition only once.
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

// addOwn adds the data that the catalog maintains to a tool from a server.
func (t *Tool) addOwn(own *Tool) {
	t.Version, t.Stale, t.Quarantined = own.Version, own.Stale, own.Quarantined
	t.Tags, t.Timeout, t.Validators = own.Tags, own.Timeout, own.Validators
	t.RegisteredAt, t.UpdatedAt = own.RegisteredAt, own.UpdatedAt
}

// restore reverses derived.
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
