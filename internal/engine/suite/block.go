package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// block runs an engine on the server of a test and holds its figures against what is expected.
func (r *run) block(ctx context.Context, s *Suite, t *Test, l *lease, snapshots *Snapshots) (findings []finding.Finding, broken, skipped string) {
	if t.Engine == "coverage" {
		return r.coverage(ctx, s, t, l)
	}
	runner, ok := r.opts.Blocks[t.Engine]
	if !ok {
		return nil, fmt.Sprintf("there is no engine for %s here", t.Engine), ""
	}
	server, err := s.Servers[t.Server].expand(s.scope)
	if err != nil {
		return nil, err.Error(), ""
	}
	var with []byte
	if t.With != nil {
		if with, err = s.scope.json(t.With); err != nil {
			return nil, err.Error(), ""
		}
	}
	figures, seen, err := runner.Run(ctx, l.session, server, with)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return []finding.Finding{r.unfinished(t, seen)}, "", "" // what was not looked at may be as expected or not
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

// unfinished says that an engine was still at work when the test's time was over.
func (r *run) unfinished(t *Test, seen []finding.Finding) finding.Finding {
	return finding.Finding{Rule: "suite/timeout", Severity: finding.Error,
		Message: fmt.Sprintf("%s was not finished within %v; timeout: gives it more time, fewer cases or rules take less", t.Engine, t.Timeout),
		Where:   finding.Location{Subject: t.ID, File: t.File, Line: t.Line}, Evidence: listed(seen), Reproduce: r.reproduce(t)}
}

// readExpectations reads expectations of our own.
func readExpectations(text string) (*Expectations, error) {
	node, problems := document.Parse("defaults", []byte(text))
	if len(problems) > 0 {
		return nil, problems
	}
	e, d := &Expectations{}, &document.Decoder{File: "defaults"}
	d.Decode(node, e)
	return e, d.Problems.Err()
}

// figures judges the figures of a block.
func (r *run) figures(ctx context.Context, t *Test, expect *Expectations, figures []byte, seen []finding.Finding, in scope, snapshots *Snapshots) []finding.Finding {
	var failed []finding.Finding
	a := &answer{document: figures}
	for _, assertion := range expect.All {
		accept, err := assertion.judge(in)
		target := assertion.Target
		if err == nil && target == "" {
			err = fmt.Errorf("an expectation of %s needs a target, such as %s", t.Engine, firstName(figures))
		}
		if err == nil {
			key := testKey(t, 0) + " > " + target
			found := a.lookup(assertion.path)
			if err = accept(&Moment{Context: ctx, Key: key, Snapshots: snapshots}, found); err != nil && found == nil {
				err = fmt.Errorf("%w\n%s", err, otherTarget(assertion.path, figures))
			}
		}
		if err == nil {
			continue
		}
		f := finding.Finding{Rule: "suite/expectation", Severity: finding.Error, Message: fmt.Sprintf("%s is not as expected\n%v", target, err),
			Where: finding.Location{Subject: t.ID, File: t.File, Line: t.Line}}
		if assertion.Line > 0 && assertion.File != "defaults" {
			f.Where.Line = assertion.Line
		}
		f.Evidence, f.Reproduce = listed(seen), r.reproduce(t)
		failed = append(failed, f)
	}
	return failed
}

// maxListed is how many findings of an engine are shown with a failed expectation.
const maxListed = 10

func listed(seen []finding.Finding) []string {
	var lines []string
	for i, f := range seen {
		if i == maxListed {
			return append(lines, fmt.Sprintf("… and %d more", len(seen)-maxListed))
		}
		lines = append(lines, fmt.Sprintf("%s %s %s: %s", f.Severity, f.Rule, f.Where.Subject, shorten(f.Message)))
	}
	return lines
}

// otherTarget says which figures there are, where a target names none.
func otherTarget(at path, figures []byte) string {
	node, _ := document.Parse("", figures)
	var known []string
	for _, p := range node.Pairs {
		known = append(known, p.Key)
	}
	if meant := document.Nearest(at[0], known); meant != "" && meant != at[0] {
		return "did you mean the target " + meant + "?"
	}
	return "the targets here are " + strings.Join(known, ", ")
}

func firstName(figures []byte) string {
	node, problems := document.Parse("", figures)
	if len(problems) > 0 || len(node.Pairs) == 0 {
		return "a name"
	}
	return node.Pairs[0].Key
}
