package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/fixture"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Variant is a call that is made from the schema of a tool.
type Variant struct {
	Name      string // what is special about it: "limit: the last allowed value"
	Kind      string // one of VariantKinds
	Arguments json.RawMessage
}

// A Vary makes calls of a tool from its definition. They are changes of the base: arguments that the tool accepts.
// Without one, it makes a base.
type Vary func(tool, base json.RawMessage) ([]Variant, error)

// MaxVariants is the maximum number of cases that one test generates.
const MaxVariants = 100

// Generates reports whether the cases of the test are made when it is run.
func (t *Test) Generates() bool { return len(t.generate) > 0 }

// expanded returns the tests to run for a test: itself, or its generated cases. If they cannot be made, the error is
// the result of the test.
func (r *run) expanded(ctx context.Context, s *Suite, t *Test) []*Test {
	if !t.Generates() || t.Skip != "" || ctx.Err() != nil || r.bailing() {
		return []*Test{t}
	}
	all, err := r.generated(ctx, s, t)
	if err != nil {
		r.record(t, finding.Result{Name: t.ID, Broken: "cases: " + explain(err)})
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cases[t] = all
	return all
}

// generated makes the cases of a test from the schema of its tool.
func (r *run) generated(ctx context.Context, s *Suite, t *Test) ([]*Test, error) {
	if r.opts.Vary == nil {
		return nil, fmt.Errorf("generate is not available here")
	}
	ctx, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	own := &fixture.Set{}
	defer own.End()
	s, err := r.withFixtures(ctx, s, own, fixture.ScopeTest)
	if err != nil {
		return nil, err
	}
	l, err := r.lease(ctx, s, t)
	if err != nil {
		return nil, err
	}
	defer l.release()
	call, err := t.Steps[0].prepare(ctx, l, t.scope(s))
	if err != nil {
		return nil, err
	}
	if call.Definition == nil {
		return nil, fmt.Errorf("the server has no tool %q", t.Steps[0].Subject)
	}
	base, _ := schema.Get(call.Params, "/arguments")
	variants, err := r.opts.Vary(call.Definition, base)
	if err != nil {
		return nil, err
	}
	var all []*Test
	for _, v := range variants {
		if slices.Contains(t.generate, v.Kind) && len(all) < MaxVariants {
			all = append(all, t.variant(v))
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the schema of %q leads to no cases of the kinds %s", t.Steps[0].Subject,
			strings.Join(t.generate, ", "))
	}
	return all, nil
}

// variant is the test of a generated case. What the schema forbids must be rejected; all else meets the expectations of
// the test.
func (t *Test) variant(v Variant) *Test {
	args, _ := document.Parse("", v.Arguments) // it is JSON
	row := &Row{Position: t.Position, Name: v.Name, Args: literals(args)}
	if v.Kind == Invalid {
		row.Expect, _ = readExpectations("{rejected: true}") // ours are well-formed
	}
	one := t.with(row)
	one.generate, one.parent = nil, t
	return one
}

// literals keeps generated text that looks like a reference as it is.
func literals(n *document.Node) *document.Node {
	if n.Kind == document.String {
		n.Text = variables.Escape(n.Text)
	}
	for _, p := range n.Pairs {
		literals(p.Value)
	}
	for _, item := range n.Items {
		literals(item)
	}
	return n
}
