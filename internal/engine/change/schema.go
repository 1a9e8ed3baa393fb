package change

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/subschema"
)

// A schemaDiff is the difference of one schema of a tool.
type schemaDiff struct {
	changes    []Change
	undeclared *Counterexample
}

// asObject is a schema of arguments: they are always an object, also if the schema does not say so.
func asObject(value any) any {
	switch value := value.(type) {
	case map[string]any:
		if _, typed := value["type"]; typed {
			return value
		}
		typed := maps.Clone(value)
		typed["type"] = "object"
		return typed
	case nil:
		return map[string]any{"type": "object"}
	}
	return value
}

// repaired is a schema without mistakes that validators ignore: values that an enum or required lists twice, and a
// required that is not a list, which draft 3 allowed.
func repaired(value any) any {
	switch value := value.(type) {
	case map[string]any:
		fixed := make(map[string]any, len(value))
		for name, inner := range value {
			list, isList := inner.([]any)
			switch {
			case name == "const" || name == "default" || name == "examples":
				fixed[name] = inner
			case name == "enum" && isList, name == "required" && isList:
				fixed[name] = distinct(list)
			case name == "required" && (inner == nil || inner == true || inner == false):
			default:
				fixed[name] = repaired(inner)
			}
		}
		return fixed
	case []any:
		fixed := make([]any, len(value))
		for i, inner := range value {
			fixed[i] = repaired(inner)
		}
		return fixed
	}
	return value
}

func distinct(list []any) []any {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(value any) bool {
		key := string(encode(value))
		again := seen[key]
		seen[key] = true
		return again
	})
}

// compareInput compares schemas of arguments: every call that was valid must stay valid.
func compareInput(tool string, was, is any, cache *schema.Cache) schemaDiff {
	if equal(was, is) {
		return schemaDiff{}
	}
	if c := vanished(tool, was, is); c != nil {
		return schemaDiff{changes: []Change{*c}}
	}
	p := &pair{tool: tool, cache: cache, noun: "parameter", root: "/inputSchema", old: repaired(asObject(was)),
		now: repaired(asObject(is))}
	p.inner, p.outer = p.old, p.now
	return p.compare()
}

// compareOutput compares schemas of results: every result that is possible now must have been possible before.
func compareOutput(tool string, was, is any, cache *schema.Cache) schemaDiff {
	switch {
	case equal(was, is):
		return schemaDiff{}
	case was == nil:
		return schemaDiff{changes: []Change{{Kind: "output-added", Path: "/outputSchema", Verdict: Compatible,
			Basis:   "rule: added",
			Message: "output schema added"}}}
	case is == nil:
		return outputRemoved(tool, was)
	}
	p := &pair{tool: tool, cache: cache, noun: "result field", root: "/outputSchema", old: repaired(was),
		now:    repaired(is),
		output: true}
	p.inner, p.outer = p.now, p.old
	return p.compare()
}

// outputRemoved finds a result that the old schema excluded.
func outputRemoved(tool string, was any) schemaDiff {
	c := Change{Kind: "output-removed", Path: "/outputSchema", Verdict: Meaning, Basis: "rule: no promise",
		Message: "output schema removed"}
	found := subschema.Compare(json.RawMessage(`{"type":"object"}`), encode(was), nil)
	if found.Verdict != subschema.Contained {
		c.Verdict, c.Basis = Breaking, "counterexample"
		c.Message = "output schema removed: the shape of results is no longer promised"
		c.Counterexample = &Counterexample{Method: "tools/call", Name: tool, Result: found.Counterexample,
			Rejection: found.Violation}
	}
	return schemaDiff{changes: []Change{c}}
}

// vanished recognizes an input schema that lost or regained everything: a generator that failed.
func vanished(tool string, was, is any) *Change {
	hollow := func(value any) bool {
		s, ok := value.(map[string]any)
		if !ok {
			return value == nil
		}
		for name := range s {
			if name != "$schema" {
				return false
			}
		}
		return true
	}
	if hollow(was) == hollow(is) {
		return nil
	}
	c := &Change{Kind: "schema-vanished", Path: "/inputSchema", Verdict: Meaning, Basis: "rule: empty schema",
		Artifact: "schema-vanished",
		Message:  "input schema vanished: it declares no type and no parameters"}
	if hollow(is) {
		return c
	}
	c.Kind, c.Artifact, c.Verdict = "schema-returned", "schema-returned", Compatible
	c.Message = "input schema declares parameters again"
	found := subschema.Compare(encode(asObject(was)), encode(asObject(is)),
		&subschema.Options{Declared: true, SafeIntegers: true})
	if found.Verdict == subschema.Escapes {
		c.Verdict, c.Basis = Breaking, "counterexample"
		c.Counterexample = &Counterexample{Method: "tools/call", Name: tool, Arguments: found.Counterexample,
			Rejection: found.Violation}
	}
	return c
}

// A pair is an old and a new schema. Everything that inner accepts should be accepted by outer.
type pair struct {
	tool         string
	noun         string // what a property is called
	root         string // JSON Pointer of the schema in the definition
	old, now     any
	inner, outer any
	output       bool

	validInner, validOuter *schema.Schema // compiled when first needed
	uncompiled             bool
	cache                  *schema.Cache
	clock                  *subschema.Clock
	found                  []Change
}

// Bounds for one pair of schemas: the largest of real servers have 700 subschemas and take a few milliseconds.
const (
	maxObjects  = 4_000
	pairTimeout = 200 * time.Millisecond
	walkTimeout = 120 * time.Millisecond // the rest is for the schemas as a whole
)

// options select the values that count, within the time that is left.
func (p *pair) options(undeclared bool) *subschema.Options {
	return &subschema.Options{Declared: !undeclared, SafeIntegers: true, Cache: p.cache,
		Clock: p.clock.Part(subschema.DefaultTimeout)}
}

func (p *pair) compare() schemaDiff {
	p.clock = subschema.NewClock(pairTimeout)
	if objects(p.old)+objects(p.now) > 2*maxObjects {
		return schemaDiff{changes: []Change{{Kind: "schema", Path: p.root, Verdict: Unknown,
			Basis:   "the schema is too large to compare",
			Message: p.schemaName() + " cannot be compared"}}}
	}
	whole := p.clock
	p.clock = whole.Part(walkTimeout)
	p.walk(step{}, viewOf(p.old, p.old), viewOf(p.now, p.now))
	p.clock = whole
	if p.has(Breaking) {
		return schemaDiff{changes: p.found}
	}
	inner, outer := encode(p.inner), encode(p.outer)
	answer := subschema.Compare(inner, outer, p.options(false))
	p.settle(answer)
	result := schemaDiff{changes: p.found}
	if p.has(Breaking) || answer.Verdict == subschema.Unknown {
		return result
	}
	open := subschema.Compare(inner, outer, p.options(true))
	if open.Verdict == subschema.Escapes {
		result.undeclared = p.counterexample(open.Counterexample, open.Violation)
	}
	if !p.has(Meaning) && !p.has(Compatible) {
		p.equivalent(inner, outer, open.Verdict)
	}
	result.changes = p.found
	return result
}

// objects counts the objects in a value, which bounds its subschemas.
func objects(value any) int {
	count := 0
	switch value := value.(type) {
	case map[string]any:
		count++
		for _, inner := range value {
			count += objects(inner)
		}
	case []any:
		for _, inner := range value {
			count += objects(inner)
		}
	}
	return count
}

func (p *pair) has(v Verdict) bool {
	return slices.ContainsFunc(p.found, func(c Change) bool { return c.Verdict == v })
}

func (p *pair) schemaName() string {
	if p.output {
		return "output schema"
	}
	return "input schema"
}

// settle reconciles the changes with the answer for the whole schema, which is proven.
func (p *pair) settle(whole subschema.Result) {
	switch {
	case whole.Verdict == subschema.Contained:
		basis := "rule: containment"
		if whole.Samples > 0 {
			basis = plural(whole.Samples, "sample")
		}
		for i := range p.found {
			if p.found[i].Verdict == Unknown {
				p.found[i].Verdict, p.found[i].Basis = Compatible, basis
			}
		}
	case p.has(Breaking):
	case whole.Verdict == subschema.Escapes && p.blame(whole):
	case whole.Verdict == subschema.Escapes:
		message := "rejects calls that were valid"
		if p.output {
			message = "allows results that were excluded"
		}
		p.found = append(p.found, Change{Kind: "schema", Path: p.root, Verdict: Breaking, Basis: "counterexample",
			Message:        p.schemaName() + " " + message,
			Counterexample: p.counterexample(whole.Counterexample, whole.Violation)})
	case !p.has(Unknown):
		p.found = append(p.found, Change{Kind: "schema", Path: p.root, Verdict: Unknown, Basis: undecided(whole),
			Message: p.schemaName() + " cannot be compared"})
	}
}

// blame attributes the counterexample to the only change that could not be decided alone.
func (p *pair) blame(whole subschema.Result) bool {
	var suspect *Change
	for i := range p.found {
		if p.found[i].Verdict == Unknown {
			if suspect != nil {
				return false
			}
			suspect = &p.found[i]
		}
	}
	if suspect == nil {
		return false
	}
	suspect.Verdict, suspect.Basis = Breaking, "counterexample"
	suspect.Counterexample = p.counterexample(whole.Counterexample, whole.Violation)
	return true
}

func undecided(r subschema.Result) string {
	if r.Samples == 0 {
		return r.Reason
	}
	return fmt.Sprintf("%s; %s without a counterexample", r.Reason, plural(r.Samples, "sample"))
}

// equivalent decides between cosmetic and compatible where nothing else changed.
func (p *pair) equivalent(inner, outer json.RawMessage, open subschema.Verdict) {
	back := subschema.Compare(outer, inner, p.options(false))
	closes := slices.ContainsFunc(p.found, func(c Change) bool { return c.Kind == "additional-properties" })
	switch {
	case back.Verdict != subschema.Contained:
		p.found = append(p.found, Change{Kind: "schema", Path: p.root, Verdict: Compatible, Basis: "rule: containment",
			Message: p.wider()})
	case !closes && open == subschema.Escapes:
		p.found = append(p.found, Change{Kind: "schema", Path: p.root, Verdict: Compatible, Basis: "rule: containment",
			Message: p.schemaName() + " treats undeclared properties differently"})
	case len(p.found) == 0:
		p.found = append(p.found, Change{Kind: "schema-rewritten", Path: p.root, Verdict: Cosmetic,
			Basis:   "rule: containment in both directions",
			Message: p.schemaName() + " written differently, accepts the same", Artifact: "rewritten"})
	}
}

func (p *pair) wider() string {
	if p.output {
		return "output schema promises more"
	}
	return "input schema accepts more"
}

func (p *pair) counterexample(value json.RawMessage, rejection string) *Counterexample {
	c := &Counterexample{Method: "tools/call", Name: p.tool, Rejection: rejection}
	if p.output {
		c.Result = value
	} else {
		c.Arguments = value
	}
	return c
}

// confirm validates a value with both whole schemas; nil if it proves nothing.
func (p *pair) confirm(value any) *Counterexample {
	if p.validInner == nil && !p.uncompiled {
		var err, err2 error
		p.validInner, err = p.cache.Compile(encode(p.inner), nil)
		p.validOuter, err2 = p.cache.Compile(encode(p.outer), nil)
		p.uncompiled = err != nil || err2 != nil
	}
	if p.uncompiled {
		return nil
	}
	raw := encode(value)
	if len(p.validInner.Validate(raw)) > 0 {
		return nil
	}
	for _, v := range p.validOuter.Validate(raw) {
		if v.Rule != schema.RuleLimit {
			return p.counterexample(raw, v.Message)
		}
	}
	return nil
}
