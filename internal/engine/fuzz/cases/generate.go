package cases

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Generator generates cases for one tool.
type Generator struct {
	tool     string
	care     Care
	compiled *schema.Schema
	strict   *schema.Schema // also requires formats; nil if the schema has none
	random   *rand.Rand
	bases    []*node
	edits    [][]edit // the single changes, by base, in the order in which they are applied
	pairs    [][]edit // changes of the first base that have an effect only together
	// changes to values that the description of the tool mentions
	mentioned []edit
	provokes  bool // the second sample has the URL of a file or a day long ago, and comes first
	// changes to values that the messages of errors offer, or that other tools returned, until they are used
	offered      [][]edit
	known        map[string]bool  // values that were offered
	lent         map[string]bool  // cases with values of items
	left         bool             // a case leaves the directory of such a value
	plan         []planned        // the cases before random ones
	next         int              // how many cases were generated
	settled      map[*node][]edit // what all cases keep to, by sample
	settledOn    []edit           // the changes of the first sample that these are
	timesSettled int
	fine         bool            // the first sample was fruitful once
	fruitless    bool            // it was not
	works        []edit          // what a fruitful case kept to
	made, before map[string]bool // the cases since it was settled, and before
	buffer       []byte
	plainest     Case // the shortest one that the schema allows
	verdicts     map[string]verdict
}

// A verdict is the result of validating arguments against the schema.
type verdict struct {
	allowed  bool
	unclear  bool
	violates string
	coerced  bool
}

// Limits of the case generation.
const (
	baseSamples = 6
	maxEdits    = 3    // changes in one random case
	maxVerdicts = 5000 // number of cached verdicts
	maxVerdict  = 500  // bytes of arguments that are cached
)

// Care is what the cases for a tool depend on besides its schema.
type Care struct {
	Gentle bool // no case looks like an attack
	Writes bool // the tool may change data: no case makes it change more than what its arguments name
}

// NewGenerator prepares to generate cases for a tool. The same seed generates the same cases.
func NewGenerator(tool string, inputSchema json.RawMessage, seed uint64, care Care) (*Generator, error) {
	if len(inputSchema) == 0 {
		inputSchema = json.RawMessage(`{"type":"object"}`)
	}
	compiled, err := schema.Compile(inputSchema, nil)
	if err != nil {
		return nil, err
	}
	h := fnv.New64a()
	h.Write([]byte(tool))
	g := &Generator{tool: tool, care: care, compiled: compiled, random: rand.New(rand.NewPCG(seed, h.Sum64())),
		verdicts: map[string]verdict{}}
	from := &source{schema.NewResolver(inputSchema), inputSchema}
	for i := range baseSamples {
		options := &schema.SampleOptions{Seed: seed + uint64(i), AllProperties: i%2 == 0}
		if i == 1 {
			options.Style = schema.Smallest
		}
		sample, err := compiled.Sample(options)
		if err != nil {
			if len(g.bases) > 0 {
				continue
			}
			return nil, fmt.Errorf("cannot generate arguments for %s: %w", tool, err)
		}
		g.bases = append(g.bases, buildTree(sample, from))
	}
	g.strict = withFormats(inputSchema, g.bases)
	for _, base := range g.bases {
		g.edits = append(g.edits, g.singles(base))
	}
	g.pairs = slices.Concat(patternPairs(g.bases[0]), g.combinations())
	g.plainest = g.shortest()
	return g, nil
}

// Mention adds values that the description of the tool mentions, for texts whose own description mentions none: a tool
// often knows some names only, and fails with all others.
func (g *Generator) Mention(values []string) {
	var all []edit
	g.bases[0].walk(func(n *node) {
		if n.kind == '"' && !n.rules.Has("enum") && !n.rules.Has("const") &&
			len(schema.Examples(schema.TextAt(n.rules.Raw, "/description"))) == 0 {
			all = append(all, mentions(n, values)...)
		}
	})
	g.mentioned = all
}

// mentions are values that a description mentions.
func mentions(n *node, values []string) []edit {
	if !n.isOpen() {
		return nil
	}
	var all []edit
	for _, v := range values {
		value := string(rawjson.Quote(v))
		if n.kind == '0' {
			value = v
		}
		if schema.Kind(json.RawMessage(value)) == n.kind && json.Valid([]byte(value)) {
			all = append(all, kept(first(replace(n, Valid, MentionedValue, value)))...)
		}
	}
	return all
}

// singles are the single changes of a base: empty values, then what every run tests of limits and types, alternating with
// habits, then all others alike. The order of each is determined by the seed, so that a short run covers something of
// each.
func (g *Generator) singles(base *node) []edit {
	var empty, mentioned, limits, attacks, edges, wrong []edit
	base.walk(func(n *node) {
		for _, e := range boundaries(n) {
			switch {
			case e.first && e.isEmpty():
				empty = append(empty, e)
			case e.first && e.kind == Valid:
				mentioned = append(mentioned, e)
			case e.first:
				limits = append(limits, e)
			default:
				edges = append(edges, e)
			}
		}
		for _, e := range habits(n, g.care) {
			if e.first {
				attacks = append(attacks, e)
			} else {
				wrong = append(wrong, e)
			}
		}
	})
	for _, list := range [][]edit{empty, mentioned, limits, attacks, edges, wrong} {
		g.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	some := min(len(mentioned), maxMentioned)
	limits = alternate(limits, mentioned[some:])
	return slices.Concat(empty, mentioned[:some], alternate(limits, attacks), alternate(edges, wrong))
}

// Next generates the next case: those of the schedule, then random changes of all samples, several at once.
func (g *Generator) Next() Case {
	if g.plan == nil {
		g.plan = g.schedule()
		g.edits[0] = append(g.edits[0], g.mentioned...)
	}
	if len(g.offered) > 0 {
		next := g.offered[0]
		g.offered = g.offered[1:]
		return g.planned(planned{edits: next})
	}
	for g.next < len(g.plan) {
		g.next++
		if c := g.planned(g.plan[g.next-1]); g.isNew(c) {
			return c
		}
	}
	b := g.random.IntN(len(g.bases))
	if len(g.edits[b]) == 0 {
		return g.finish(Case{Kind: Valid, Description: "a sample"}, g.bases[b], nil)
	}
	edits := make([]edit, 1+g.random.IntN(maxEdits))
	for i := range edits {
		edits[i] = g.edits[b][g.random.IntN(len(g.edits[b]))]
		for try := range 3 {
			if size := len(edits[i].value); size <= longText/10 ||
				size <= longText && try == 0 && g.random.IntN(8) == 0 {
				break // long ones were already used, and take as much time as many short ones
			}
			edits[i] = g.edits[b][g.random.IntN(len(g.edits[b]))]
		}

	}
	return g.finish(Case{Kind: edits[0].kind, Description: edits[0].description}, g.bases[b], edits)
}

// planned generates a case of the schedule.
func (g *Generator) planned(p planned) Case {
	if len(p.edits) == 0 {
		return g.finish(Case{Kind: Valid, Description: "a sample", sample: p.base == 0}, g.bases[p.base], nil)
	}
	c := Case{Kind: p.edits[0].kind, Description: p.edits[0].description}
	if p.base == 0 && !slices.ContainsFunc(p.edits, func(e edit) bool { return !e.keep }) {
		c.keeps = p.edits
	}
	if inner := p.edits[0]; len(p.edits) == 1 && inner.inside != nil {
		inner.value = inner.inside
		c.Inside = render(nil, g.bases[p.base], g.withSettled(g.bases[p.base], []edit{inner}))
	}
	return g.finish(c, g.bases[p.base], p.edits)
}

func (g *Generator) finish(c Case, base *node, edits []edit) Case {
	g.buffer = render(g.buffer[:0], base, g.withSettled(base, edits))
	c.Tool, c.Arguments = g.tool, json.RawMessage(append([]byte(nil), g.buffer...))
	return c
}

// shortest is the shortest sample.
func (g *Generator) shortest() Case {
	var best Case
	for _, base := range g.bases {
		if c := g.finish(Case{Kind: Valid, Description: "a sample"}, base, nil); best.Tool == "" ||
			SimplerThan(c.Arguments, best.Arguments) {
			best = c
		}
	}
	g.Validate(&best)
	return best
}

// Plainest returns the shortest sample.
func (g *Generator) Plainest() Case { return g.plainest }

// Validate determines whether the tool's schema allows the arguments of a case, and which rule they violate.
func (g *Generator) Validate(c *Case) {
	v, known := g.verdicts[string(c.Arguments)]
	if !known {
		v = g.verdict(c.Arguments)
		if len(g.verdicts) < maxVerdicts && len(c.Arguments) <= maxVerdict {
			g.verdicts[string(c.Arguments)] = v
		}
	}
	c.Allowed, c.Unclear, c.Violates, c.Coerced = v.allowed, v.unclear, v.violates, v.coerced
	if c.Allowed && hasNoDay(c.Arguments) {
		c.Allowed, c.Unclear = false, true // a schema without formats cannot forbid it
	}
	if c.Allowed && c.Kind == NearMiss {
		c.Kind = Boundary // another branch of the schema allows it
	}
}

func (g *Generator) verdict(arguments json.RawMessage) verdict {
	violations := g.compiled.Validate(arguments)
	if len(violations) > 0 {
		return verdict{violates: violated(violations[0]), coerced: g.coercible(arguments, violations)}
	}
	if g.strict != nil {
		violations = g.strict.Validate(arguments)
	}
	if len(violations) > 0 {
		return verdict{unclear: true, violates: violated(violations[0])}
	}
	return verdict{allowed: true}
}

func violated(first schema.Violation) string {
	return first.Rule + locationOf(&node{path: first.Path}) + ": " + first.Message
}
