package fault

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
)

// A Plan is the faults of a session, with the seed of their random selection.
type Plan struct {
	Seed  uint64
	Rules []*Rule
}

// A planFile is a plan as YAML.
type planFile struct {
	Seed   int        `yaml:"seed"`
	Faults []planRule `yaml:"faults" required:"yes"`
}

// A planRule is a fault in a plan: the text of --fault, or its parts.
type planRule struct{ rule *Rule }

// planParts are the parts of a fault.
type planParts struct {
	Method      string `yaml:"method" required:"yes"`
	Tool        string `yaml:"tool"`
	From        string `yaml:"from" enum:"client|server"`
	Probability string `yaml:"probability"`
	Nth         int    `yaml:"nth"`
	Fault       string `yaml:"fault" required:"yes"`
	Value       string `yaml:"value"`
}

// ReadNode reads a fault. Problems have the position of the part.
func (p *planRule) ReadNode(n *document.Node, d *document.Decoder) {
	if n.Kind == document.String {
		rule, err := Parse(n.Text)
		if err != nil {
			d.AddProblem(n, "%s", withKinds(err))
		}
		p.rule = rule
		return
	}
	if n.Kind != document.Map {
		d.AddProblem(n, "%s, expected a fault such as tools/call:20%%:delay=5s, or a mapping", document.Describe(n))
		return
	}
	before := len(d.Problems)
	var parts planParts
	d.Decode(n, &parts)
	if len(d.Problems) > before {
		return
	}
	p.rule = parts.rule(n, d)
}

// rule returns the rule that the parts describe.
func (parts *planParts) rule(n *document.Node, d *document.Decoder) *Rule {
	r := &Rule{Method: parts.Method, Tool: parts.Tool, Nth: parts.Nth, Kind: Kind(parts.Fault), Value: parts.Value}
	at := func(key string, err error) {
		if err == nil {
			return
		}
		if child := n.Get(key); child != nil {
			n = child
		}
		d.AddProblem(n, "%s", err)
	}
	if info(r.Kind) == nil {
		at("fault", fmt.Errorf("%s; expected one of: %s", unknownKind(parts.Fault), strings.Join(Names(), ", ")))
		return nil
	}
	if parts.From != "" {
		at("from", r.sender(parts.From))
	}
	if parts.Probability != "" {
		at("probability", r.percent(parts.Probability))
	}
	if n.Get("nth") != nil && parts.Nth < 1 {
		at("nth", fmt.Errorf("invalid occurrence %d, expected a number from 1", parts.Nth))
	}
	at("value", r.finish())
	r.Text = r.describe()
	return r
}

// describe returns the rule in the form that Parse reads.
func (r *Rule) describe() string {
	text := r.Method
	if r.Tool != "" {
		text += ":tool=" + r.Tool
	}
	if k := info(r.Kind); k != nil && r.From != k.From {
		text += ":from=" + string(r.From)
	}
	if r.Percent > 0 {
		text += fmt.Sprintf(":%g%%", r.Percent)
	}
	if r.Nth > 0 {
		text += fmt.Sprintf(":#%d", r.Nth)
	}
	return text + ":" + r.Effect()
}

// withKinds returns the text of an error with the list of kinds if it helps.
func withKinds(err error) string {
	if wrong, ok := err.(*SpecError); ok && wrong.Kinds {
		return err.Error() + "; expected one of: " + strings.Join(Names(), ", ")
	}
	return err.Error()
}

// ReadPlan reads a plan from YAML. The problems have positions.
func ReadPlan(file string, text []byte) (*Plan, error) {
	node, problems := document.Parse(file, text)
	if len(problems) > 0 {
		return nil, problems
	}
	d := &document.Decoder{File: file}
	var read planFile
	if d.Decode(node, &read); len(d.Problems) > 0 {
		return nil, d.Problems
	}
	plan := &Plan{Seed: uint64(read.Seed)}
	for _, f := range read.Faults {
		plan.Rules = append(plan.Rules, f.rule)
	}
	return plan, nil
}

// Check returns why a rule does not make sense for a transport.
func (p *Plan) Check(over Transport) error {
	for _, r := range p.Rules {
		if k := info(r.Kind); k.Only != "" && k.Only != over {
			return fmt.Errorf("fault %q: %s requires %s: %s", r.Text, r.Kind, k.Only, k.Why)
		}
	}
	return nil
}
