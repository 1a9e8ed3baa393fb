package change

import (
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/subschema"
)

// properties compares the properties of an object.
func (p *pair) properties(at step, was, is view) {
	inner := was
	if p.output {
		inner = is
	}
	old, now := was.properties(), is.properties()
	renamed := map[string]string{}
	if !at.quiet {
		renamed = matchProperties(was, is)
	}
	for _, name := range sortedKeys(old) {
		to := name
		if _, kept := now[name]; !kept {
			to = renamed[name]
		}
		switch {
		case to == "" && !at.quiet:
			p.removed(at.property(name, inner), was, is, name)
		case to == "":
		default:
			if to != name {
				p.renamed(at, inner, was, is, name, to)
			}
			below := at.property(to, inner)
			if !at.quiet && to == name {
				p.required(below, was, is, name)
			}
			below.quiet = at.quiet || to != name
			p.walk(below, was.child(old[name]), is.child(now[to]))
		}
	}
	for _, name := range sortedKeys(now) {
		_, kept := old[name]
		if !kept && !at.quiet && !isNewName(renamed, name) {
			p.added(at.property(name, inner), was, is, name)
		}
	}
}

// removed reports a property that the new schema does not declare.
func (p *pair) removed(at step, was, is view, name string) {
	c := Change{Kind: kindOf(p, "removed"), Verdict: Meaning, Message: p.subject(at) + " removed",
		Basis: "rule: undeclared"}
	if p.output {
		if was.requires(name) {
			c.Message = p.subject(at) + " removed: results no longer contain it"
			p.prove(&c, at, nil, false)
		}
	} else {
		c.Message = p.subject(at) + " removed; the argument is accepted and has no declared effect"
		if is.in["additionalProperties"] == false {
			c.Message = p.subject(at) + " removed: calls with it are rejected"
			p.prove(&c, at, was.properties()[name], true)
		}
	}
	p.add(at, c)
}

// added reports a property that the old schema did not declare.
func (p *pair) added(at step, was, is view, name string) {
	c := Change{Kind: kindOf(p, "added"), Verdict: Compatible, Message: p.subject(at) + " added, optional",
		Basis: "rule: optional"}
	switch {
	case p.output:
		c.Message, c.Basis = p.subject(at)+" added", "rule: open object"
		if was.in["additionalProperties"] == false {
			c.Message = p.subject(at) + " added to a closed object"
			p.prove(&c, at, is.properties()[name], true)
		}
	case is.requires(name) && !was.requires(name):
		c.Message = p.subject(at) + " added, required" + defaultNote(is, name)
		p.prove(&c, at, nil, false)
	case is.requires(name):
		c.Message, c.Basis = p.subject(at)+" declared; it was required before", "rule: containment"
		c.Verdict = Unknown // the whole schema decides
	}
	p.add(at, c)
}

// required reports a property that became required or optional.
func (p *pair) required(at step, was, is view, name string) {
	before, after := was.requires(name), is.requires(name)
	if before == after {
		return
	}
	c := Change{Kind: kindOf(p, "required"), Verdict: Compatible, Basis: "rule: required",
		Message: p.subject(at) + " is required now"}
	if before {
		c.Kind, c.Message = kindOf(p, "optional"), p.subject(at)+" is optional now"
	} else if !p.output {
		c.Message += defaultNote(is, name)
	}
	if before == p.output {
		p.prove(&c, at, nil, false)
	}
	p.add(at, c)
}

// defaultNote adds that a server may accept a call without a required parameter that has a default.
func defaultNote(is view, name string) string {
	if value, ok := is.child(is.properties()[name]).in["default"]; ok {
		return fmt.Sprintf("; it has the default %s, so the server may accept calls without it", brief(value))
	}
	return ""
}

func (p *pair) renamed(at step, inner, was, is view, name, to string) {
	below := at.property(name, inner)
	c := Change{Kind: kindOf(p, "renamed"), Verdict: Meaning, Basis: "rule: undeclared",
		Message: fmt.Sprintf("%s renamed to %s", p.subject(below), to)}
	if !p.output {
		c.Message += "; the old name is ignored"
	}
	switch {
	case p.output && was.requires(name), !p.output && is.requires(to) && !was.requires(to):
		p.prove(&c, below, was.properties()[name], !p.output)
	case !p.output && is.in["additionalProperties"] == false:
		p.prove(&c, below, was.properties()[name], true)
	}
	if c.Verdict == Breaking {
		c.Message = fmt.Sprintf("%s renamed to %s", p.subject(below), to)
	}
	below.path = at.path + "/properties/" + schema.Token(to)
	p.add(below, c)
}

// prove makes a change breaking if a value with or without the property confirms it.
func (p *pair) prove(c *Change, at step, property any, with bool) {
	raw, ok := subschema.Smallest(encode(at.holder.alone()))
	holder, isObject := decode(raw).(map[string]any)
	if !ok || !isObject {
		c.Verdict, c.Basis = Unknown, "no value of the schema was found"
		return
	}
	delete(holder, at.name)
	if with {
		value, ok := subschema.Smallest(encode(at.holder.child(property).alone()))
		if !ok {
			c.Verdict, c.Basis = Unknown, "no value of the property was found"
			return
		}
		holder[at.name] = decode(value)
	}
	whole, ok := p.lift(*at.up, holder)
	if proof := p.confirm(whole); ok && proof != nil {
		c.Verdict, c.Basis, c.Counterexample = Breaking, "counterexample", proof
		return
	}
	c.Verdict, c.Basis = Unknown, "could not be confirmed for the whole call"
}

// additional compares what applies to undeclared properties.
func (p *pair) additional(at step, was, is view) {
	if at.quiet {
		return
	}
	before, after := was.in["additionalProperties"], is.in["additionalProperties"]
	opened := func(value any) bool {
		in, isObject := value.(map[string]any)
		return value == nil || value == true || isObject && len(in) == 0
	}
	if equal(before, after) || opened(before) && opened(after) {
		return
	}
	c := Change{Kind: "additional-properties", Path: "/additionalProperties", Verdict: Compatible,
		Basis: "rule: undeclared properties",
		Old:   encode(before), New: encode(after)}
	switch {
	case opened(before) && after == false:
		c.Message, c.Artifact = p.subject(at)+": undeclared properties are rejected now", "closed"
	case before == false && opened(after):
		c.Message, c.Artifact = p.subject(at)+": undeclared properties are accepted now", "opened"
	default:
		c.Message = p.subject(at) + ": other undeclared properties are accepted now"
		c.Verdict, c.Basis = Unknown, "decided for the whole schema" // settle knows
	}
	p.add(at, c)
}
