package driver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	lines "github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

func (d *driver) callTool(ctx context.Context, in *Call) (*Verdict, error) {
	return d.test(ctx, in.Test, suite.LiveTest{Kind: "tool", Subject: in.Tool, Args: in.Args, Answers: in.Answers})
}

func (d *driver) readResource(ctx context.Context, in *Read) (*Verdict, error) {
	return d.test(ctx, in.Test, suite.LiveTest{Kind: "resource", Subject: in.URI})
}

func (d *driver) getPrompt(ctx context.Context, in *Prompt) (*Verdict, error) {
	return d.test(ctx, in.Test, suite.LiveTest{Kind: "prompt", Subject: in.Prompt, Args: in.Args})
}

func (d *driver) request(ctx context.Context, in *Request) (*Verdict, error) {
	if in.Method == "" {
		return nil, invalid("method is missing")
	}
	return d.test(ctx, in.Test, suite.LiveTest{Kind: "method", Subject: in.Method, Args: in.Params})
}

func (d *driver) conform(ctx context.Context, in *Engine) (*Verdict, error) {
	return d.test(ctx, in.Test, suite.LiveTest{Kind: "conform", With: in.With})
}

func (d *driver) fuzz(ctx context.Context, in *Engine) (*Verdict, error) {
	return d.test(ctx, in.Test, suite.LiveTest{Kind: "fuzz", With: in.With})
}

// test makes a test and returns its verdict.
func (d *driver) test(ctx context.Context, in Test, t suite.LiveTest) (*Verdict, error) {
	s, err := d.server(in.Server)
	if err != nil {
		return nil, err
	}
	t.Expect, t.XFail, t.Snapshots, t.Key = in.Expect, in.XFail, in.Snapshots, in.Key
	if in.Timeout != "" {
		if t.Timeout, err = time.ParseDuration(in.Timeout); err != nil || t.Timeout <= 0 {
			return nil, invalid("timeout is %q, expected a duration such as 5s or 500ms", in.Timeout)
		}
	}
	o, err := s.live.Test(ctx, t)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, invalid("%s", d.scrub(err.Error()))
	}
	out := d.verdict(o.Result, o.Frames())
	if o.Sent() {
		out.Response = d.response(s.store(o), o)
	}
	return out, nil
}

func (d *driver) assert(ctx context.Context, in *Assert) (*Verdict, error) {
	s, err := d.server(in.Server)
	if err != nil {
		return nil, err
	}
	o, err := s.response(in.Response)
	if err != nil {
		return nil, err
	}
	result, err := o.Check(ctx, suite.LiveTest{Expect: in.Expect, XFail: in.XFail, Snapshots: in.Snapshots, Key: in.Key})
	if err != nil {
		return nil, invalid("%s", d.scrub(err.Error()))
	}
	return d.verdict(result, o.Frames()), nil
}

// verdict describes the result of a test. Frames are those that prove it.
func (d *driver) verdict(r finding.Result, frames []int) *Verdict {
	out := &Verdict{Status: string(r.Status())}
	for _, f := range r.Findings {
		one := Failure{Rule: f.Rule, Message: d.scrub(f.Message), File: f.Where.File, Line: f.Where.Line}
		for _, e := range f.Evidence {
			one.Evidence = append(one.Evidence, d.scrub(e))
		}
		out.Failures = append(out.Failures, one)
	}
	for _, n := range r.Notes {
		out.Notes = append(out.Notes, d.scrub(n))
	}
	var text []string
	for _, f := range out.Failures {
		text = append(append(text, f.Message), f.Evidence...)
	}
	if r.Broken != "" {
		text = append(text, d.scrub(r.Broken))
	}
	if out.Status == string(finding.Skipped) {
		text = append(text, d.scrub(r.Skipped))
	} else if len(text) > 0 {
		text = append(text, d.frameLines(frames)...)
	}
	out.Message = strings.Join(text, "\n")
	return out
}

// maxShown is the maximum length of a frame in a message.
const maxShown = 600

// frameLines are the frames of a call as lines for the user.
func (d *driver) frameLines(numbers []int) []string {
	var all []string
	for _, n := range numbers {
		f, ok := d.bench.Log.Frame(n)
		if !ok {
			continue
		}
		word := "sent"
		if f.From == "server" {
			word = "received"
		}
		all = append(all, fmt.Sprintf("frame %d %s: %s", n, word,
			clip.Sized(d.bench.Secrets.Text(strings.ToValidUTF8(string(f.Body), "\uFFFD")), maxShown)))
	}
	return all
}

// response describes the response of a server.
func (d *driver) response(id int, o *suite.Outcome) *Response {
	out := &Response{ID: id, Result: o.Value("result"), Error: o.Value("error"), Notifications: o.Value("notifications"),
		HTTP: o.Value("http"), ExitCode: o.Value("exit_code"), Text: text(o.Value("text")),
		Stderr: d.scrub(text(o.Value("stderr"))), StdoutNoise: d.scrub(text(o.Value("stdout_noise")))}
	_ = json.Unmarshal(o.Value("duration_ms"), &out.DurationMS) // 0 if there is none
	if raw, ok := schema.Get(out.Result, "/isError"); ok {
		out.IsError = string(raw) == "true"
	}
	out.limit()
	return out
}

// limit omits what does not fit into a message, or is not JSON.
func (r *Response) limit() {
	left := lines.MaxMessage / 2
	var omitted []string
	for _, f := range []struct {
		name string
		raw  *json.RawMessage
	}{{"result", &r.Result}, {"error", &r.Error}, {"http", &r.HTTP}, {"notifications", &r.Notifications}} {
		if left -= len(*f.raw); left < 0 || len(*f.raw) > 0 && !json.Valid(*f.raw) {
			left += len(*f.raw)
			omitted = append(omitted, fmt.Sprintf("%s (%d bytes)", f.name, len(*f.raw)))
			*f.raw = nil
		}
	}
	for _, f := range []struct {
		name string
		text *string
	}{{"text", &r.Text}, {"stderr", &r.Stderr}, {"stdout_noise", &r.StdoutNoise}} {
		if len(*f.text) > left/2 {
			omitted = append(omitted, fmt.Sprintf("%s (%d bytes)", f.name, len(*f.text)))
			*f.text = ""
		}
		left -= len(*f.text)
	}
	r.Omitted = strings.Join(omitted, ", ")
}

// text is the text of a JSON string.
func text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s) // empty if there is none
	return s
}

// maxBody is the maximum length of a frame in the result of frames.
const maxBody = 1 << 20

func (d *driver) frames(_ context.Context, in *FramesOf) (*Frames, error) {
	s, err := d.server(in.Server)
	if err != nil {
		return nil, err
	}
	o, err := s.response(in.Response)
	if err != nil {
		return nil, err
	}
	out := &Frames{Frames: []Frame{}, Stderr: d.scrub(text(o.Value("stderr")))}
	for _, n := range o.Frames() {
		if f, ok := d.bench.Log.Frame(n); ok {
			out.Frames = append(out.Frames, Frame{Number: n, From: string(f.From),
				Body: clip.Sized(d.bench.Secrets.Text(string(f.Body)), maxBody)})
		}
	}
	return out, nil
}
