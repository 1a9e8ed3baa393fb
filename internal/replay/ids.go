package replay

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/volatile"
)

// current returns recorded params with the IDs of this run in place of the recorded ones.
func (r *replayer) current(params json.RawMessage) json.RawMessage {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(params) == 0 || len(r.ids) == 0 {
		return params
	}
	return replaceIDs(params, "", r.ids, 0)
}

// replaceIDs replaces strings that are recorded IDs, and numbers in fields for IDs.
func replaceIDs(value json.RawMessage, name string, ids map[string]string, depth int) json.RawMessage {
	kind := schema.Kind(value)
	switch {
	case depth > maxDepth:
		return value
	case kind == '{':
		members, _ := schema.Members(value)
		out := make([]string, len(members))
		for i, m := range members {
			out[i] = string(rawjson.Quote(m.Name)) + ":" + string(replaceIDs(m.Value, m.Name, ids, depth+1))
		}
		return json.RawMessage("{" + strings.Join(out, ",") + "}")
	case kind == '[':
		elements, _ := schema.Elements(value)
		out := make([]string, len(elements))
		for i, e := range elements {
			out[i] = string(replaceIDs(e, name, ids, depth+1))
		}
		return json.RawMessage("[" + strings.Join(out, ",") + "]")
	case kind == '"' || volatile.IsIDName(name):
		if now, known := ids[string(value)]; known {
			return json.RawMessage(now)
		}
	}
	return value
}

// volatilePaths returns where the recorded responses to the same request differ.
func volatilePaths(s *recording.Session) map[string]map[string]bool {
	first := map[string]*recording.Exchange{}
	all := map[string]map[string]bool{}
	for _, x := range s.Exchanges {
		if x.Result == nil {
			continue
		}
		key := x.Key()
		if first[key] == nil {
			first[key] = x
			continue
		}
		c := &comparison{before: first[key].Started, after: x.Started}
		c.values("", "", first[key].Result, x.Result, 0)
		for _, change := range c.changes {
			if all[key] == nil {
				all[key] = map[string]bool{}
			}
			if change.kind == Value {
				all[key][change.path] = true
			}
		}
	}
	return all
}
