package spec

import (
	"encoding/json"
	"fmt"
	"strings"
)

// full makes messages that have everything that the published schema names, so that what no recorded server says is
// compared too: one message for each method of a server.
func (o *official) full(id string) []spoken {
	var all []spoken
	for method, names := range officialResults {
		for _, name := range names {
			if o.has[name] == nil || name == "Result" || name == "EmptyResult" {
				continue
			}
			for n := range variants {
				result := (&maker{o, n}).value(o.has[name], 0)
				all = append(all, spoken{Server: "full", Revision: id, Answers: method,
					Message: json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":%s}`, result))})
			}
		}
	}
	for method, name := range officialMessages {
		var definition struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if o.has[name] == nil || json.Unmarshal(o.has[name], &definition) != nil {
			continue
		}
		r, _ := Find(id)
		m, ok := r.Method(Server, method)
		if !ok {
			continue
		}
		head := `{"jsonrpc":"2.0","id":1,"method":"` + method + `"`
		if m.Notification {
			head = `{"jsonrpc":"2.0","method":"` + method + `"`
		}
		for n := range variants {
			params := (&maker{o, n}).value(definition.Properties["params"], 0)
			all = append(all, spoken{Server: "full", Revision: id,
				Message: json.RawMessage(head + `,"params":` + params + `}`)})
		}
	}
	return all
}

// variants is how many messages are made of each kind; each takes other alternatives.
const variants = 8

// A maker makes values that a schema accepts, as full as can be.
type maker struct {
	o       *official
	variant int
}

func (k *maker) value(raw json.RawMessage, depth int) string {
	var s struct {
		Ref        string                     `json:"$ref"`
		AnyOf      []json.RawMessage          `json:"anyOf"`
		AllOf      []json.RawMessage          `json:"allOf"`
		Const      json.RawMessage            `json:"const"`
		Enum       []json.RawMessage          `json:"enum"`
		Type       json.RawMessage            `json:"type"`
		Format     string                     `json:"format"`
		Items      json.RawMessage            `json:"items"`
		Properties map[string]json.RawMessage `json:"properties"`
		More       json.RawMessage            `json:"additionalProperties"`
	}
	if json.Unmarshal(raw, &s) != nil || depth > 12 {
		return "{}"
	}
	kind := strings.Trim(string(s.Type), `"`)
	switch {
	case s.Ref != "":
		return k.value(k.o.has[s.Ref[strings.LastIndex(s.Ref, "/")+1:]], depth+1)
	case s.AnyOf != nil:
		return k.value(s.AnyOf[k.variant%len(s.AnyOf)], depth+1)
	case s.AllOf != nil:
		whole := map[string]json.RawMessage{}
		for _, part := range s.AllOf {
			_ = json.Unmarshal([]byte(k.value(part, depth+1)), &whole)
		}
		return string(encode(whole))
	case s.Const != nil:
		return string(s.Const)
	case s.Enum != nil:
		return string(s.Enum[k.variant%len(s.Enum)])
	case kind == "array":
		return "[" + k.value(s.Items, depth+1) + "]"
	case kind == "object":
		return k.object(s.Properties, s.More, depth)
	case s.Format == "uri":
		return `"https://example.com/x"`
	case kind == "integer", kind == "number":
		return "1"
	case kind == "boolean":
		return "true"
	case strings.HasPrefix(kind, "["):
		return "1"
	}
	return `"text"`
}

func (k *maker) object(properties map[string]json.RawMessage, more json.RawMessage, depth int) string {
	members := map[string]json.RawMessage{}
	for key, value := range properties {
		members[key] = json.RawMessage(k.value(value, depth+1))
	}
	if len(more) > 2 && more[0] == '{' {
		members["other"] = json.RawMessage(k.value(more, depth+1))
	}
	return string(encode(members))
}
