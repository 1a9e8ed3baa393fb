package schema

import "github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"

// A costEstimator walks a value and a schema as validation would, without validating, and stops when the limit is
// reached. A step of it costs a hundredth of a step of validation.
type costEstimator struct {
	weights weights
	left    int
	depth   int // of nested applications; the library looks back over all of them at each step
}

// affordable reports whether validating value stays within limit steps.
func (s *Schema) affordable(value any) bool {
	m := costEstimator{weights: s.weights, left: s.limits.Work}
	return m.apply(s.compiled, value)
}

func (m *costEstimator) spend(steps int) bool {
	m.left -= steps
	return m.left >= 0
}

func (m *costEstimator) apply(s *jsonschema.Schema, value any) bool {
	m.depth++
	defer func() { m.depth-- }()
	if !m.spend(max(1, m.weights[s]) + m.depth/128) {
		return false
	}
	switch value := value.(type) {
	case string:
		if !m.spend(matchCost(s.Pattern, value)) {
			return false
		}
	case []any:
		if !m.items(s, value) {
			return false
		}
	case map[string]any:
		if !m.properties(s, value) {
			return false
		}
	}
	affordable := true
	inPlace(s, func(inner *jsonschema.Schema) { affordable = affordable && m.apply(inner, value) })
	return affordable
}

func (m *costEstimator) items(s *jsonschema.Schema, value []any) bool {
	cost := len(value) / 8
	if s.UniqueItems {
		cost += size(value)
	}
	if !m.spend(cost) {
		return false
	}
	tuple, _ := s.Items.([]*jsonschema.Schema)
	for i, item := range value {
		switch {
		case i < len(tuple):
			if !m.apply(tuple[i], item) {
				return false
			}
		case i < len(s.PrefixItems):
			if !m.apply(s.PrefixItems[i], item) {
				return false
			}
		}
		if !m.each(item, s.Items, s.AdditionalItems, s.Items2020, s.Contains, s.UnevaluatedItems) {
			return false
		}
	}
	return true
}

func (m *costEstimator) properties(s *jsonschema.Schema, value map[string]any) bool {
	if !m.spend(len(value) / 8) {
		return false
	}
	for name, inner := range value {
		if declared, ok := s.Properties[name]; ok && !m.apply(declared, inner) {
			return false
		}
		for pattern, candidate := range s.PatternProperties {
			if !m.spend(matchCost(pattern, name)) || !m.apply(candidate, inner) {
				return false
			}
		}
		if s.PropertyNames != nil && !m.apply(s.PropertyNames, name) {
			return false
		}
		if !m.each(inner, s.AdditionalProperties, s.UnevaluatedProperties) {
			return false
		}
	}
	return true
}

// each applies the candidates that are subschemas.
func (m *costEstimator) each(value any, candidates ...any) bool {
	for _, candidate := range candidates {
		if inner, ok := candidate.(*jsonschema.Schema); ok && inner != nil && !m.apply(inner, value) {
			return false
		}
	}
	return true
}

// matchCost returns the cost of a linear match in steps; backtracking has its own stopwatch.
func matchCost(pattern jsonschema.Regexp, text string) int {
	re, ok := pattern.(*linear)
	if !ok {
		return 0
	}
	return len(text) * re.cost / 512
}
