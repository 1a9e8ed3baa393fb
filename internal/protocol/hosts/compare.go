package hosts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

// SchemaDifference returns the first difference between a schema that a host passed on and that of its profile; empty if
// they are equal. The order of fields and the spelling of numbers do not matter.
func SchemaDifference(recorded, profile json.RawMessage) string {
	var a, b any
	if json.Unmarshal(recorded, &a) != nil || json.Unmarshal(profile, &b) != nil {
		if bytes.Equal(recorded, profile) {
			return ""
		}
		return "schema: not JSON"
	}
	return differ("", a, b)
}

// SameSchema reports whether two schemas are equal up to the order of fields. The spelling of numbers matters.
func SameSchema(a, b json.RawMessage) bool {
	var x, y any
	for raw, to := range map[*json.RawMessage]*any{&a: &x, &b: &y} {
		decoder := json.NewDecoder(bytes.NewReader(*raw))
		decoder.UseNumber()
		if decoder.Decode(to) != nil {
			return false
		}
	}
	return equal(x, y)
}

func differ(at string, a, b any) string {
	x, objectA := a.(map[string]any)
	y, objectB := b.(map[string]any)
	if objectA && objectB {
		names := maps.Clone(x)
		maps.Copy(names, y)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			v, inA := x[name]
			w, inB := y[name]
			switch here := at + "/" + name; {
			case !inA:
				return fmt.Sprintf("%s: recorded nothing, profile %s", here, brief(w))
			case !inB:
				return fmt.Sprintf("%s: recorded %s, profile nothing", here, brief(v))
			default:
				if d := differ(here, v, w); d != "" {
					return d
				}
			}
		}
		return ""
	}
	s, listA := a.([]any)
	t, listB := b.([]any)
	if listA && listB && len(s) == len(t) {
		for i := range s {
			if d := differ(fmt.Sprintf("%s/%d", at, i), s[i], t[i]); d != "" {
				return d
			}
		}
		return ""
	}
	if left, right := brief(a), brief(b); left != right || !equal(a, b) {
		return fmt.Sprintf("%s: recorded %s, profile %s", at, left, right)
	}
	return ""
}

func equal(a, b any) bool {
	left, _ := json.Marshal(a)
	right, _ := json.Marshal(b)
	return bytes.Equal(left, right)
}

func brief(v any) string {
	raw, _ := json.Marshal(v)
	return clip.Text(string(raw), 120)
}
