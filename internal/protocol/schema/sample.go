package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// A Style is the style of a sample.
type Style string

// The styles of a sample.
const (
	Smallest Style = "smallest" // only what is required, as short as possible
	Typical  Style = "typical"  // what a user might send: defaults and examples if the schema has them
)

// SampleOptions configure a sample. Nil means a typical one with seed 0.
type SampleOptions struct {
	Seed          uint64 // the same seed gives the same sample
	Style         Style
	AllProperties bool // fill every declared property that can be filled
}

// ErrNoSample is wrapped by every error that reports why no sample was found.
var ErrNoSample = errors.New("no sample found")

// Sample generates a value that is valid against a schema. Every returned sample has been validated.
func Sample(raw json.RawMessage, options *SampleOptions) (json.RawMessage, error) {
	compiled, err := Compile(raw, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoSample, err)
	}
	return compiled.Sample(options)
}

// sampleTries is the number of attempts: with and without the schema's own examples, other branches of
// alternatives, the sides of a condition.
const sampleTries = 12

// Sample generates a value that is valid against the schema.
func (s *Schema) Sample(options *SampleOptions) (json.RawMessage, error) {
	if options == nil {
		options = &SampleOptions{}
	}
	resolver := NewResolver(s.raw)
	var why error
	for try := range sampleTries {
		m := sampler{
			resolver: resolver, options: *options, try: try, budget: maxSampleValues,
			random: rand.New(rand.NewPCG(options.Seed, uint64(try))), hints: options.Style != Smallest && try%2 == 0,
		}
		value, err := m.make(s.raw, 0)
		if err == nil {
			violations := s.Validate(value)
			if len(violations) == 0 {
				return value, nil
			}
			err = errors.New(violations[0].Message)
		}
		if why == nil {
			why = err
		}
	}
	return nil, fmt.Errorf("%w: %w", ErrNoSample, why)
}

const (
	maxSampleValues = 5_000
	maxSampleDepth  = 24 // required nesting beyond this is infinite
	deepOptional    = 4  // optional properties are omitted below this
)

// A sampler generates one candidate.
type sampler struct {
	resolver *Resolver
	options  SampleOptions
	try      int
	hints    bool // whether to use default, examples and example
	random   *rand.Rand
	budget   int
}

func (m *sampler) smallest() bool { return m.options.Style == Smallest }

// make generates a value for one subschema.
func (m *sampler) make(raw json.RawMessage, depth int) (json.RawMessage, error) {
	if m.budget--; m.budget < 0 {
		return nil, errors.New("the sample would be too large")
	}
	if depth > maxSampleDepth {
		return nil, errors.New("the required properties nest infinitely")
	}
	n, err := m.resolver.Resolve(raw)
	if err != nil {
		return nil, err
	}
	return m.makeResolved(n, depth)
}

func (m *sampler) makeResolved(n Node, depth int) (json.RawMessage, error) {
	if value, ok := n.Get("const"); ok {
		return value, nil
	}
	if value, ok := m.hint(&n); ok {
		return value, nil
	}
	if value, ok := n.Get("enum"); ok {
		return m.pickEnum(value)
	}
	if refusesAll(&n) {
		return nil, errors.New("the schema allows no value")
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if alternatives, ok := n.Get(keyword); ok {
			return m.makeAlternative(n, keyword, alternatives, depth)
		}
	}
	if n.Has("if") && m.try > 0 {
		return m.makeConditional(n, depth)
	}
	return m.makeTyped(&n, depth)
}

// refusesAll recognizes the schema false.
func refusesAll(n *Node) bool {
	not, ok := n.Get("not")
	return ok && (Kind(not) == 't' || string(not) == "{}")
}

// hint uses the values from the author of the schema. The first example comes before the default, which is
// often a neutral value.
func (m *sampler) hint(n *Node) (json.RawMessage, bool) {
	if !m.hints {
		return nil, false
	}
	if examples, ok := n.Get("examples"); ok {
		if list, err := Elements(examples); err == nil && len(list) > 0 {
			return list[0], true
		}
	}
	for _, keyword := range []string{"example", "default"} {
		if value, ok := n.Get(keyword); ok && fits(n, value) {
			return value, true
		}
	}
	return nil, false
}

// fits reports whether a value has a type of the subschema: a default of null often only means that it is
// absent.
func fits(n *Node, value json.RawMessage) bool {
	types := n.Types()
	return len(types) == 0 && Kind(value) != 'n' || slices.ContainsFunc(types, func(name string) bool {
		kinds := map[string]byte{"null": 'n', "string": '"', "object": '{', "array": '[', "integer": '0', "number": '0'}
		kind := Kind(value)
		return kinds[name] == kind || name == "boolean" && (kind == 't' || kind == 'f')
	})
}

func (m *sampler) pickEnum(enum json.RawMessage) (json.RawMessage, error) {
	values, err := Elements(enum)
	if err != nil || len(values) == 0 {
		return nil, errors.New("the enum allows no value")
	}
	if m.smallest() || m.try == 0 && m.options.Seed == 0 {
		return values[m.try%len(values)], nil
	}
	return values[m.random.IntN(len(values))], nil
}

// makeAlternative selects one branch and generates a value for it and the rest together. Null is the last
// resort.
func (m *sampler) makeAlternative(n Node, keyword string, alternatives json.RawMessage, depth int) (json.RawMessage,
	error) {
	branches, err := Elements(alternatives)
	if err != nil || len(branches) == 0 {
		return nil, fmt.Errorf("%s has no alternatives", keyword)
	}
	slices.SortStableFunc(branches, func(a, b json.RawMessage) int { return m.nullness(a) - m.nullness(b) })
	start := 0
	if m.try > 1 || m.options.Seed != 0 {
		start = m.random.IntN(len(branches))
	}
	var first error
	for i := range branches {
		value, err := m.makeBranch(n, keyword, branches[(start+i)%len(branches)], depth)
		if err == nil {
			return value, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func (m *sampler) nullness(branch json.RawMessage) int {
	n, err := m.resolver.Resolve(branch)
	if types := n.Types(); err == nil && len(types) == 1 && types[0] == "null" {
		return 1
	}
	return 0
}

func (m *sampler) makeBranch(n Node, keyword string, branch json.RawMessage, depth int) (json.RawMessage, error) {
	rest := object(without(n.Members, keyword))
	return m.make(both(branch, rest), depth+1)
}

// makeConditional alternates between then and else.
func (m *sampler) makeConditional(n Node, depth int) (json.RawMessage, error) {
	rest := object(without(n.Members, "if", "then", "else"))
	condition, _ := n.Get("if")
	if then, ok := n.Get("then"); ok && m.try%4 < 2 {
		return m.make(both(both(condition, then), rest), depth+1)
	}
	if otherwise, ok := n.Get("else"); ok {
		return m.make(both(otherwise, rest), depth+1)
	}
	return m.make(rest, depth+1)
}

// makeTyped generates a value of the first type that the subschema declares or implies.
func (m *sampler) makeTyped(n *Node, depth int) (json.RawMessage, error) {
	switch m.pickType(n, depth) {
	case "object":
		return m.makeObject(n, depth)
	case "array":
		return m.makeArray(n, depth)
	case "string":
		return m.makeString(n)
	case "integer":
		return m.makeNumber(n, true)
	case "number":
		return m.makeNumber(n, false)
	case "boolean":
		if m.smallest() || m.try%3 == 2 {
			return json.RawMessage("false"), nil
		}
		return json.RawMessage("true"), nil
	case "null":
		return json.RawMessage("null"), nil
	}
	return nil, fmt.Errorf("no value can be generated for the types %v", n.Types())
}

func (m *sampler) pickType(n *Node, depth int) string {
	if n.Has("type") {
		types := slices.DeleteFunc(n.Types(), func(name string) bool { return name == "null" })
		if len(types) == 0 {
			return n.firstType()
		}
		return types[m.try/2%len(types)]
	}
	switch {
	case n.Has("properties") || n.Has("required") || n.Has("additionalProperties") || n.Has("minProperties") ||
		depth == 0:
		return "object"
	case n.Has("items") || n.Has("prefixItems") || n.Has("minItems") || n.Has("contains"):
		return "array"
	case n.Has("minimum") || n.Has("maximum") || n.Has("exclusiveMinimum") || n.Has("multipleOf"):
		return "number"
	}
	return "string"
}

func (n *Node) firstType() string {
	if types := n.Types(); len(types) > 0 {
		return types[0]
	}
	return ""
}
