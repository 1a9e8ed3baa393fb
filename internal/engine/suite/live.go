package suite

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/outcome"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// A Live is a server whose tests a program makes, one at a time. Their verdicts and messages are those of a suite. A
// server that has exited is started again by the next test.
type Live struct {
	name  string
	run   *run
	suite *Suite

	snapshots sync.Mutex // held while a file of snapshots is in use
}

// NewLive returns a server. The first test starts it.
func NewLive(name string, server *Server, offers Offers, o Options) *Live {
	return &Live{name: name, run: newRun(o), suite: &Suite{File: &File{Servers: map[string]*Server{name: server}},
		scope: scope{Literal: true}, offered: offers}}
}

// Use calls a function with the session of the server, which is started if need be.
func (l *Live) Use(ctx context.Context, do func(*mcp.Session) error) error {
	lease, err := l.run.lease(ctx, l.suite, &Test{Case: Case{Server: l.name}})
	if err != nil {
		return err
	}
	defer lease.release()
	return do(lease.session)
}

// Close stops the server and waits for its exit.
func (l *Live) Close() error { return l.run.pool.close(func(string) bool { return true }) }

// Release ends the server for a process that exits.
func (l *Live) Release() { l.run.pool.release() }

// A LiveTest is a test that a program makes.
type LiveTest struct {
	Kind    string // tool, resource, prompt or method; of an engine, its section in a suite, such as conform
	Subject string // the name of the tool, the URI …
	Args    json.RawMessage
	With    json.RawMessage // of an engine
	Timeout time.Duration   // 0 means the default
	Answers json.RawMessage // as in a suite
	Expect  json.RawMessage // as in a suite
	XFail   string
	// Snapshots is the file of snapshots without its suffix; Key is the key of this test in it.
	Snapshots, Key string
}

// An Outcome is the outcome of a LiveTest.
type Outcome struct {
	finding.Result
	live *Live
	test *Test
	call *outcome.Outcome // nil if nothing was sent
}

// Test makes a test. An error means that the test is invalid.
func (l *Live) Test(ctx context.Context, in LiveTest) (*Outcome, error) {
	t, err := l.test(in)
	if err != nil {
		return nil, err
	}
	out := &Outcome{live: l, test: t}
	start := time.Now()
	limited, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	lease, err := l.run.lease(limited, l.suite, t)
	if err != nil {
		out.Result = finding.Result{Name: t.ID, Broken: explain(err)}
		return out, ctx.Err()
	}
	defer lease.release()
	if t.Engine != "" {
		return out, cmp.Or(l.withSnapshots(in, func(s *match.Snapshots) {
			out.Name = t.ID
			out.Findings, out.Broken, out.Skipped = l.run.block(limited, l.suite, t, lease, s)
			out.finish(start)
		}), ctx.Err())
	}
	out.call, err = l.run.send(limited, t, &t.Steps[0], lease, l.suite.scope)
	if err != nil {
		out.Result = finding.Result{Name: t.ID, Broken: explain(err)}
		return out, ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out.Result, err = out.check(ctx, in)
	out.finish(start)
	return out, err
}

// Check checks the response of the test against other expectations: those of in.
func (o *Outcome) Check(ctx context.Context, in LiveTest) (finding.Result, error) {
	if o.call == nil {
		return o.Result, nil
	}
	expect, err := liveExpectations(in.Expect)
	if err != nil {
		return finding.Result{}, err
	}
	call := o.test.Steps[0]
	call.Expect = expect
	t := *o.test
	t.Steps, t.XFail = []Call{call}, in.XFail
	if err := checkLive(&t); err != nil {
		return finding.Result{}, err
	}
	again := &Outcome{live: o.live, test: &t, call: o.call}
	again.Result, err = again.check(ctx, in)
	again.finish(time.Now())
	return again.Result, err
}

// check verifies the response.
func (o *Outcome) check(ctx context.Context, in LiveTest) (finding.Result, error) {
	result := finding.Result{Name: o.test.ID, Attempts: 1, Notes: o.call.Notes()}
	err := o.live.withSnapshots(in, func(s *match.Snapshots) {
		var broken error
		result.Findings, broken = o.live.run.check(ctx, o.test, &o.test.Steps[0], 0, o.call, o.live.suite.scope, s)
		if broken != nil {
			result.Broken = explain(broken)
		}
	})
	return result, err
}

func (o *Outcome) finish(start time.Time) {
	o.Elapsed = time.Since(start)
	if o.test.XFail != "" {
		o.live.run.expectFailure(o.test, &o.Result)
	}
}

// withSnapshots calls a function with the snapshots of a test, and stores new ones.
func (l *Live) withSnapshots(in LiveTest, do func(*match.Snapshots)) error {
	if in.Snapshots == "" {
		do(nil)
		return nil
	}
	l.snapshots.Lock()
	defer l.snapshots.Unlock()
	s, err := l.run.opts.openSnapshots(filepath.ToSlash(in.Snapshots))
	if err != nil {
		return err
	}
	do(s)
	return s.Save(false)
}

// Value returns the value of a target of expectations, such as result, text or stderr; nil if there is none.
func (o *Outcome) Value(target string) json.RawMessage {
	if o.call == nil {
		return nil
	}
	raw, _ := o.call.Root(target)
	return raw
}

// Frames are the numbers of the frames of the request and of its response.
func (o *Outcome) Frames() []int {
	if o.call == nil {
		return nil
	}
	return o.call.Frames()
}

// test creates a test from what a program defines.
func (l *Live) test(in LiveTest) (*Test, error) {
	expect, err := liveExpectations(in.Expect)
	if err != nil {
		return nil, err
	}
	t := &Test{Case: Case{Name: in.Key, Server: l.name, XFail: in.XFail, Timeout: cmp.Or(in.Timeout, timeout.Default),
		Expect: expect}, ID: l.name + "/" + in.Kind, Kind: in.Kind}
	if in.Timeout < 0 {
		return nil, fmt.Errorf("timeout is %v, expected more than 0", in.Timeout)
	}
	method, isCall := map[string]string{"tool": "tools/call", "resource": "resources/read", "prompt": "prompts/get",
		"method": in.Subject}[in.Kind]
	if !isCall {
		t.Engine = in.Kind
		if in.With != nil {
			t.With, err = document.FromJSON(in.With)
		}
		return t, wrapped("with", err)
	}
	t.ID += "/" + in.Subject
	c := Call{Case: t.Case, Kind: in.Kind, Subject: in.Subject, Method: method}
	if in.Args != nil {
		if c.Args, err = document.FromJSON(in.Args); err != nil {
			return nil, wrapped("args", err)
		}
	}
	if c.Answers, err = liveAnswers(in.Answers); err != nil {
		return nil, err
	}
	t.Steps = []Call{c}
	return t, checkLive(t)
}

// checkLive finds the problems that a loader finds in the tests of a file.
func checkLive(t *Test) error {
	l := &loader{}
	l.values(t)
	l.targets(t.Steps[0])
	return messages("", l.problems)
}

func liveExpectations(raw json.RawMessage) (*Expectations, error) {
	if raw == nil {
		return nil, nil
	}
	n, err := document.FromJSON(raw)
	if err != nil {
		return nil, wrapped("expect", err)
	}
	e, d := &Expectations{}, &document.Decoder{}
	d.Decode(n, e)
	return e, messages("expect", d.Problems)
}

func liveAnswers(raw json.RawMessage) (*Answers, error) {
	if raw == nil {
		return nil, nil
	}
	n, err := document.FromJSON(raw)
	if err != nil {
		return nil, wrapped("answers", err)
	}
	a, d := &Answers{}, &document.Decoder{}
	d.Decode(n, a)
	return a, messages("answers", d.Problems)
}

// messages are problems without locations, which values of a program do not have.
func messages(of string, problems document.Problems) error {
	var all []string
	for _, p := range problems {
		all = append(all, p.Message)
	}
	if len(all) == 0 {
		return nil
	}
	return wrapped(of, errors.New(strings.Join(all, "; ")))
}

func wrapped(what string, err error) error {
	if err == nil || what == "" {
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Sent reports whether a request was sent.
func (o *Outcome) Sent() bool { return o.call != nil }
