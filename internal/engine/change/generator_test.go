package change

import (
	"encoding/json"
	"maps"
	"testing"
)

// A newer schema generator rewrites every schema of a server: another dialect, limits of integers, closed objects,
// const for enum, definitions instead of inline schemas. None of this breaks a caller: all of it is cosmetic, and the
// report has one line for each kind. The schemas are those of the latest release of real servers.
func TestGeneratorUpgrades(t *testing.T) {
	states := readStates(t)
	servers := 0
	for i, s := range states {
		if i+1 < len(states) && states[i+1].Server == s.Server || len(s.Tools) < 3 {
			continue
		}
		servers++
		for name, rewrite := range generators {
			before, after := s.surface(), s.surface()
			before.Tools, after.Tools = nil, nil
			for _, raw := range s.Tools {
				old, now := rewrite(t, raw)
				before.Tools, after.Tools = append(before.Tools, old), append(after.Tools, now)
			}
			d := Compare(before, after)
			for _, item := range d.Items {
				for _, c := range item.Changes {
					if c.Verdict != Cosmetic {
						t.Errorf("%s, %s: %s %s: %s: %s", s.Server, name, item.Kind, item.Name, c.Verdict, c.Message)
					}
				}
			}
		}
	}
	if servers < 15 {
		t.Errorf("%d servers, want the latest release of each", servers)
	}
}

// generators return a tool as the older and as the newer generator writes it.
var generators = map[string]func(t *testing.T, tool json.RawMessage) (old, now json.RawMessage){
	"dialect": func(t *testing.T, tool json.RawMessage) (old, now json.RawMessage) {
		return edited(t, tool,
				func(root map[string]any) { root["$schema"] = "http://json-schema.org/draft-07/schema#" }, nil),
			edited(t, tool, func(root map[string]any) {
				root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
			}, nil)
	},
	"safe integers": func(t *testing.T, tool json.RawMessage) (old, now json.RawMessage) {
		return edited(t, tool, nil, nil), edited(t, tool, nil, func(s map[string]any) {
			if s["type"] != "integer" {
				return
			}
			for name, bound := range map[string]json.Number{"minimum": "-9007199254740991",
				"maximum": "9007199254740991"} {
				if s[name] == nil && s["exclusiveM"+name[1:]] == nil {
					s[name] = bound
				}
			}
		})
	},
	"closed": func(t *testing.T, tool json.RawMessage) (old, now json.RawMessage) {
		set := func(to any) func(map[string]any) {
			return func(root map[string]any) { root["additionalProperties"] = to }
		}
		return edited(t, tool, set(true), nil), edited(t, tool, set(false), nil)
	},
	"const": func(t *testing.T, tool json.RawMessage) (old, now json.RawMessage) {
		return edited(t, tool, nil, nil), edited(t, tool, nil, func(s map[string]any) {
			if values, ok := s["enum"].([]any); ok && len(values) == 1 {
				s["const"] = values[0]
				delete(s, "enum")
			}
		})
	},
	"definitions": func(t *testing.T, tool json.RawMessage) (old, now json.RawMessage) {
		return edited(t, tool, nil, nil), edited(t, tool, func(root map[string]any) {
			properties, _ := root["properties"].(map[string]any)
			definitions, _ := root["$defs"].(map[string]any)
			definitions = maps.Clone(definitions)
			if definitions == nil {
				definitions = map[string]any{}
			}
			for name, schema := range properties {
				if s, ok := schema.(map[string]any); ok && s["$ref"] == nil && s["description"] == nil {
					definitions["Moved"+name] = s
					properties[name] = map[string]any{"$ref": "#/$defs/Moved" + name}
				}
			}
			if len(definitions) > 0 {
				root["$defs"] = definitions
			}
		}, nil)
	},
}

// edited changes the input schema of a tool: its root, and all its subschemas.
func edited(t *testing.T, tool json.RawMessage, root, every func(map[string]any)) json.RawMessage {
	t.Helper()
	var definition map[string]any
	if err := json.Unmarshal(tool, &definition); err != nil {
		t.Fatal(err)
	}
	schema, ok := definition["inputSchema"].(map[string]any)
	if !ok {
		return tool
	}
	if root != nil {
		root(schema)
	}
	if every != nil {
		walk(schema, every)
	}
	text, err := json.Marshal(definition)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// walk visits the subschemas of the keywords that generators use.
func walk(schema map[string]any, visit func(map[string]any)) {
	visit(schema)
	for name, value := range schema {
		switch v := value.(type) {
		case map[string]any:
			switch name {
			case "properties", "$defs", "definitions", "patternProperties":
				for _, member := range v {
					if s, ok := member.(map[string]any); ok {
						walk(s, visit)
					}
				}
			case "items", "additionalProperties", "not":
				walk(v, visit)
			}
		case []any:
			if name != "anyOf" && name != "oneOf" && name != "allOf" {
				continue
			}
			for _, member := range v {
				if s, ok := member.(map[string]any); ok {
					walk(s, visit)
				}
			}
		}
	}
}
