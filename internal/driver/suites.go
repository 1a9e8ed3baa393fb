package driver

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/suiterun"
)

// maxSuites is the maximum number of open suites.
const maxSuites = 1000

// An openSuite is one that the client has opened.
type openSuite struct {
	opened *suite.Opened
	tests  map[string]*suite.Test
}

func (d *driver) openSuite(_ context.Context, in *SuiteOpen) (*Suite, error) {
	if in.Path == "" {
		return nil, invalid("path is missing")
	}
	input := d.in.runInput()
	input.Paths = []string{in.Path}
	plan, _, err := suiterun.Plan(d.bench, input)
	if err != nil {
		return nil, err
	}
	if len(plan.Suites) != 1 {
		return nil, invalid("%s has %d suites: open each file by itself", in.Path, len(plan.Suites))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.suites) >= maxSuites {
		return nil, invalid("%d suites are open: expected at most that many; close one of them", maxSuites)
	}
	d.suiteIDs++
	s := plan.Suites[0]
	out := &Suite{Suite: fmt.Sprintf("suite-%d", d.suiteIDs)}
	open := &openSuite{opened: suite.Open(s, d.options), tests: map[string]*suite.Test{}}
	for _, t := range s.Tests {
		open.tests[t.ID] = t
		out.Tests = append(out.Tests, SuiteTest{ID: t.ID, Name: strings.TrimPrefix(t.ID,
			filepath.ToSlash(s.Position.File)+"/"), File: t.File, Line: t.Line, Tags: t.Tags})
	}
	d.suites[out.Suite] = open
	return out, nil
}

func (d *driver) suite(id string) (*openSuite, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.suites[id]; s != nil {
		return s, nil
	}
	return nil, invalid("unknown suite %q: open it first", id)
}

func (d *driver) runSuite(ctx context.Context, in *SuiteRun) (*Results, error) {
	s, err := d.suite(in.Suite)
	if err != nil {
		return nil, err
	}
	t := s.tests[in.Test]
	if t == nil {
		return nil, invalid("unknown test %q in %s", in.Test, in.Suite)
	}
	results, err := s.opened.Run(ctx, t)
	if err != nil {
		return nil, err
	}
	out := &Results{}
	for _, r := range results {
		var frames []int
		for _, f := range r.Findings {
			frames = append(frames, f.Where.Frames...)
		}
		out.Results = append(out.Results, Result{Name: r.Name, Verdict: *d.verdict(r, frames)})
	}
	return out, nil
}

func (d *driver) closeSuite(ctx context.Context, in *SuiteClose) (None, error) {
	s, err := d.suite(in.Suite)
	if err != nil {
		return None{}, err
	}
	d.mu.Lock()
	delete(d.suites, in.Suite)
	d.mu.Unlock()
	return None{}, s.opened.Close(ctx)
}

// shutdown stops everything after the requests before it.
func (d *driver) shutdown(ctx context.Context, _ *None) (None, error) {
	d.calls.Wait()
	d.mu.Lock()
	servers, suites := d.servers, d.suites
	d.servers, d.suites = map[string]*server{}, map[string]*openSuite{}
	d.mu.Unlock()
	for _, s := range servers {
		s.live.Release()
	}
	var failed error
	for _, s := range suites {
		if err := s.opened.Close(ctx); err != nil && failed == nil {
			failed = err
		}
	}
	return None{}, failed
}
