package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/outcome"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/typo"
)

// block runs an engine on the server of a test and checks its figures against the expectations.
func (r *run) block(ctx context.Context, s *Suite, t *Test, l *lease, snapshots *match.Snapshots) (findings []finding.Finding,
	broken, skipped string) {
	runner, ok := r.opts.Blocks[t.Engine]
	if !ok {
		return nil, fmt.Sprintf("no engine available for %s", t.Engine), ""
	}
	server, err := s.Servers[t.Server].expand(s.scope)
	if err != nil {
		return nil, err.Error(), ""
	}
	var with []byte
	if t.With != nil {
		if with, err = s.scope.JSON(t.With); err != nil {
			return nil, err.Error(), ""
		}
	}
	figures, seen, err := runner.Run(ctx, l.session, server, with)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return []finding.Finding{r.unfinished(t, seen)}, "", "" // skipped checks might have passed or failed
	}
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, explain(err), ""
	}
	expect := t.Expect
	if expect == nil {
		if expect, err = readExpectations(runner.Expect); err != nil {
			return nil, err.Error(), ""
		}
	}
	return r.figures(ctx, t, expect, figures, seen, s.scope, snapshots), "", ""
}

// unfinished reports that an engine was still running when the test timed out.
func (r *run) unfinished(t *Test, seen []finding.Finding) finding.Finding {
	return finding.Finding{Rule: "suite/timeout", Severity: finding.Error,
		Message: fmt.Sprintf("%s timed out after %v; raise timeout, or reduce cases or rules", t.Engine, t.Timeout),
		Where:   finding.Location{Subject: t.ID, File: t.File, Line: t.Line}, Evidence: listed(seen),
		Reproduce: r.reproduce(t)}
}

// readExpectations reads built-in expectations.
func readExpectations(text string) (*Expectations, error) {
	node, problems := document.Parse("defaults", []byte(text))
	if len(problems) > 0 {
		return nil, problems
	}
	e, d := &Expectations{}, &document.Decoder{File: "defaults"}
	d.Decode(node, e)
	return e, d.Problems.Err()
}

// figures checks the figures of a block.
func (r *run) figures(ctx context.Context, t *Test, expect *Expectations, figures []byte, seen []finding.Finding,
	in scope, snapshots *match.Snapshots) []finding.Finding {
	var failed []finding.Finding
	a, list := &outcome.Outcome{Document: figures}, &findingList{}
	for _, assertion := range expect.All {
		accept, err := assertion.evaluate(in)
		target := assertion.Target
		if err == nil && target == "" {
			err = fmt.Errorf("an expectation of %s requires a target, such as %s", t.Engine, firstName(figures))
		}
		if err == nil {
			key := testKey(t, 0) + " > " + target
			found := a.Find(assertion.path)
			if err = accept(&match.Context{Context: ctx, Key: key, Snapshots: snapshots}, found); err != nil &&
				found == nil {
				err = fmt.Errorf("%w\n%s", err, otherTarget(assertion.path, figures))
			}
		}
		if err == nil {
			continue
		}
		f := finding.Finding{Rule: "suite/expectation", Severity: finding.Error,
			Message: fmt.Sprintf("%s: expectation failed\n%v", target, err),
			Where:   finding.Location{Subject: t.ID, File: t.File, Line: t.Line}}
		if assertion.Line > 0 && assertion.File != "defaults" {
			f.Where.Line = assertion.Line
		}
		f.Evidence, f.Reproduce = list.of(assertion.path, seen), r.reproduce(t)
		failed = append(failed, f)
	}
	return failed
}

// maxListed is the maximum number of engine findings shown with a failed expectation.
const maxListed = 10

func listed(seen []finding.Finding) []string {
	var lines []string
	for i, f := range seen {
		if i == maxListed {
			return append(lines, fmt.Sprintf("… and %d more", len(seen)-maxListed))
		}
		lines = append(lines, fmt.Sprintf("%s %s %s: %s", f.Severity, f.Rule, f.Where.Subject,
			clip.Sized(f.Message, maxDisplayed)))
	}
	return lines
}

// otherTarget lists the valid figures if a target is unknown.
func otherTarget(at outcome.Path, figures []byte) string {
	node, _ := document.Parse("", figures)
	var known []string
	for _, p := range node.Pairs {
		known = append(known, p.Key)
	}
	if meant := typo.Best(at[0], known); meant != "" && meant != at[0] {
		return "did you mean the target " + meant + "?"
	}
	return "valid targets: " + strings.Join(known, ", ")
}

func firstName(figures []byte) string {
	node, problems := document.Parse("", figures)
	if len(problems) > 0 || len(node.Pairs) == 0 {
		return "a name"
	}
	return node.Pairs[0].Key
}
