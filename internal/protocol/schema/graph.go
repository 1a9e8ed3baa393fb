package schema

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"
)

// inPlace calls visit for every subschema that applies to the same value as s does.
func inPlace(s *jsonschema.Schema, visit func(*jsonschema.Schema)) {
	each := func(schemas ...*jsonschema.Schema) {
		for _, inner := range schemas {
			if inner != nil {
				visit(inner)
			}
		}
	}
	each(s.Ref, s.RecursiveRef)
	if s.DynamicRef != nil {
		each(s.DynamicRef.Ref)
	}
	each(s.AllOf...)
	each(s.AnyOf...)
	each(s.OneOf...)
	each(s.Not, s.If, s.Then, s.Else)
	for _, inner := range s.DependentSchemas {
		each(inner)
	}
	for _, dependency := range s.Dependencies {
		if inner, ok := dependency.(*jsonschema.Schema); ok {
			each(inner)
		}
	}
}

// below calls visit for every subschema that applies to something inside the value.
func below(s *jsonschema.Schema, visit func(*jsonschema.Schema)) {
	each := func(candidates ...any) {
		for _, candidate := range candidates {
			if inner, ok := candidate.(*jsonschema.Schema); ok && inner != nil {
				visit(inner)
			}
		}
	}
	for _, inner := range s.Properties {
		each(inner)
	}
	for _, inner := range s.PatternProperties {
		each(inner)
	}
	if tuple, ok := s.Items.([]*jsonschema.Schema); ok {
		for _, inner := range tuple {
			each(inner)
		}
	}
	for _, inner := range s.PrefixItems {
		each(inner)
	}
	each(s.PropertyNames, s.AdditionalProperties, s.UnevaluatedProperties, s.Contains, s.Items, s.AdditionalItems,
		s.Items2020, s.UnevaluatedItems)
}

// weights contains the cost of single subschemas that cost more than one step: long enums, large constants.
type weights map[*jsonschema.Schema]int

// weigh limits the expansion of the compiled schema. Compiling is linear in the length of the schema, as the
// library keeps each subschema once; but validation follows every reference again, and cannot be interrupted.
func (s *Schema) weigh() error {
	w := weigher{own: weights{}, total: map[*jsonschema.Schema]int{}, limit: s.limits.Expansion}
	queue := []*jsonschema.Schema{s.compiled}
	queued := map[*jsonschema.Schema]bool{s.compiled: true}
	enqueue := func(inner *jsonschema.Schema) {
		if !queued[inner] {
			queued[inner] = true
			queue = append(queue, inner)
		}
	}
	for len(queue) > 0 {
		next := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if w.expand(next) > w.limit {
			return w.refusal(next)
		}
		inPlace(next, enqueue)
		below(next, enqueue)
	}
	s.weights = w.own
	return nil
}

type weigher struct {
	own   weights
	total map[*jsonschema.Schema]int // with everything in place; open while being computed
	limit int
	cycle *jsonschema.Schema
}

const open = -1

// expand returns the number of subschema applications for one value. It never exceeds twice the limit.
func (w *weigher) expand(s *jsonschema.Schema) int {
	if total, ok := w.total[s]; ok {
		if total == open {
			w.cycle = s
			return 2 * w.limit
		}
		return total
	}
	w.total[s] = open
	own := ownWeight(s)
	if own > 1 {
		w.own[s] = own
	}
	total := own
	inPlace(s, func(inner *jsonschema.Schema) {
		if total <= w.limit {
			total += w.expand(inner)
		}
	})
	w.total[s] = min(total, 2*w.limit)
	return w.total[s]
}

func (w *weigher) refusal(s *jsonschema.Schema) *CompileError {
	pointer := pointerIn(s.Location)
	if w.cycle != nil && !isMetaschema(w.cycle) {
		at := pointerIn(w.cycle.Location)
		return &CompileError{Kind: EndlessRef, Pointer: at,
			Message: fmt.Sprintf("infinite recursion at %q", at)}
	}
	return &CompileError{Kind: OverLimit, Pointer: pointer,
		Message: fmt.Sprintf("the references at %q expand to more than %d subschemas for one value", pointer, w.limit)}
}

func isMetaschema(s *jsonschema.Schema) bool {
	return strings.Contains(s.Location, "://json-schema.org/")
}

// pointerIn returns the fragment of one of our locations.
func pointerIn(url string) string {
	_, fragment, _ := strings.Cut(url, "#")
	return fragment
}

func ownWeight(s *jsonschema.Schema) int {
	weight := 1 + (len(s.Required)+len(s.Dependencies)+len(s.DependentRequired)+len(s.DependentSchemas))/8
	if s.Enum != nil {
		weight += size(s.Enum.Values) / 4
	}
	if s.Const != nil {
		weight += size(*s.Const) / 4
	}
	return weight
}

// size counts the values in a value.
func size(value any) int {
	total := 1
	switch value := value.(type) {
	case map[string]any:
		for _, inner := range value {
			total += size(inner)
		}
	case []any:
		for _, inner := range value {
			total += size(inner)
		}
	}
	return total
}
