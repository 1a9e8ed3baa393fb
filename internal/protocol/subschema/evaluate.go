package subschema

import (
	"encoding/json"
	"unicode/utf8"
)

// A truth is a logical value that may be undecided.
type truth int8

const (
	no truth = iota
	maybe
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// and is the smaller truth.
func and(a, b truth) truth { return min(a, b) }

// evaluateAll reports whether a value satisfies a conjunction.
func (c *checker) evaluateAll(value any, all conj) truth {
	result := yes
	for _, n := range all {
		if result = and(result, c.evaluate(value, n)); result == no {
			return no
		}
	}
	return result
}

// violates reports whether a value certainly violates the keywords of one of the nodes.
func (c *checker) violates(value any, nodes []*node) bool {
	for _, n := range nodes {
		if c.own(value, n) == no {
			return true
		}
	}
	return false
}

// evaluate validates a value. Keywords that this package does not interpret leave it undecided.
func (c *checker) evaluate(value any, n *node) truth {
	if !c.step() {
		return maybe
	}
	result := c.own(value, n)
	if n.ref != nil && result != no {
		result = and(result, c.evaluate(value, n.ref))
	}
	for _, inner := range n.allOf {
		result = and(result, c.evaluate(value, inner))
	}
	if n.anyOf != nil && result != no {
		best, _ := c.count(value, n.anyOf)
		result = and(result, best)
	}
	if n.oneOf != nil && result != no {
		best, several := c.count(value, n.oneOf)
		result = and(result, and(best, several))
	}
	if n.not != nil && result != no {
		result = and(result, yes-c.evaluate(value, n.not))
	}
	if n.cond != nil && result != no {
		result = and(result, c.conditional(value, n))
	}
	return result
}

// count returns the best truth of the alternatives, and whether at most one of them holds.
func (c *checker) count(value any, alternatives []*node) (best, single truth) {
	certain, possible := 0, 0
	for _, alternative := range alternatives {
		t := c.evaluate(value, alternative)
		best = max(best, t)
		if t == yes {
			certain++
		}
		if t != no {
			possible++
		}
	}
	switch {
	case certain > 1:
		return best, no
	case possible > 1:
		return best, maybe
	}
	return best, yes
}

func (c *checker) conditional(value any, n *node) truth {
	branch := func(inner *node) truth {
		if inner == nil {
			return yes
		}
		return c.evaluate(value, inner)
	}
	switch c.evaluate(value, n.cond) {
	case yes:
		return branch(n.then)
	case no:
		return branch(n.other)
	}
	if met, unmet := branch(n.then), branch(n.other); met == unmet {
		return met
	}
	return maybe
}

// own evaluates the keywords of the node itself, without references and alternatives.
func (c *checker) own(value any, n *node) truth {
	kind := kindOf(value)
	if n.kinds&kind == 0 {
		return no
	}
	result := yes
	if n.enum != nil {
		result = truthOf(n.has(valueKey(value)))
	}
	if len(opaqueFor(n.opaque, kind)) > 0 {
		result = and(result, maybe)
	}
	switch value := value.(type) {
	case json.Number:
		r, ok := rational(value)
		if !ok {
			return and(result, maybe)
		}
		return and(result, truthOf(n.bounds.has(r) && (!n.integer || r.IsInt())))
	case string:
		length := utf8.RuneCountInString(value)
		result = and(result, truthOf(length >= n.minLen && (n.maxLen < 0 || length <= n.maxLen)))
		if n.pattern != "" {
			result = and(result, c.matches(n.pattern, value))
		}
	case []any:
		result = and(result, c.ownArray(value, n))
	case map[string]any:
		result = and(result, c.ownObject(value, n))
	}
	return result
}

func (c *checker) ownArray(value []any, n *node) truth {
	result := truthOf(len(value) >= n.minItems && (n.maxItems < 0 || len(value) <= n.maxItems))
	seen := map[string]bool{}
	for i, inner := range value {
		switch {
		case i < len(n.prefix):
			result = and(result, c.evaluate(inner, n.prefix[i]))
		case n.items != nil:
			result = and(result, c.evaluate(inner, n.items))
		}
		if n.unique {
			key := valueKey(inner)
			result = and(result, truthOf(!seen[key]))
			seen[key] = true
		}
	}
	return result
}

func (c *checker) ownObject(value map[string]any, n *node) truth {
	result := truthOf(len(value) >= n.minProps && (n.maxProps < 0 || len(value) <= n.maxProps))
	for _, name := range n.required {
		if _, ok := value[name]; !ok {
			return no
		}
	}
	for name, inner := range value {
		declared := no
		if n.names != nil {
			result = and(result, c.evaluate(name, n.names))
		}
		if property, ok := n.props[name]; ok {
			result, declared = and(result, c.evaluate(inner, property)), yes
		}
		for pattern, property := range n.patterned {
			switch c.matches(pattern, name) {
			case yes:
				result, declared = and(result, c.evaluate(inner, property)), yes
			case maybe:
				result = and(result, maybe)
			}
		}
		if declared == no && n.additional != nil {
			result = and(result, c.evaluate(inner, n.additional))
		}
	}
	return result
}
