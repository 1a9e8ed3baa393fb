package httpapi_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// A person connects, looks at a tool, fills in its form and calls it; what was typed arrives byte for byte.
func TestToolIsCalledFromItsForm(t *testing.T) {
	p := newPage(t, &target.Spec{Args: []string{"demo-guide"}}, "")
	l := p.connect(view.NewLink{Server: "given"})
	if l.Era != "modern" || l.Version != spec.NewestModern || l.Why == "" || l.ServerName == "" {
		t.Errorf("the link tells %+v", l)
	}
	list := ask[view.List](p, "GET", "/api/links/"+l.ID+"/list/tools", nil)
	var tool view.Item
	for _, item := range list.Items {
		if strings.Contains(item.RawJSON, `"integer"`) && item.Form {
			tool = item
			break
		}
	}
	form := ask[view.ToolForm](p, "GET", "/api/links/"+l.ID+"/form?tool="+tool.Name, nil)
	if form.Form.Mode != arguments.ModeForm || len(form.Form.Fields) == 0 {
		t.Fatalf("form of %s: %+v", tool.Name, form.Form)
	}
	name := form.Form.Fields[0].Name
	typed := func(text string) view.Examination {
		return ask[view.Examination](p, "POST", "/api/links/"+l.ID+"/arguments", view.Typed{Tool: tool.Name,
			Value: &arguments.Value{State: arguments.Set,
				Items: []arguments.Value{{Name: name, State: arguments.Set, Text: text}}}})
	}
	good := typed("12345678901234567890")
	if want := `{"` + name + `":12345678901234567890}`; !good.OK || good.ArgumentsJSON != want ||
		good.Fields[0].State != "value" {
		t.Errorf("typed a whole number: %+v, want %s", good, want)
	}
	bad := typed("1.5")
	if bad.OK || bad.ArgumentsJSON != `{"`+name+`":1.5}` || len(bad.Errors) != 1 || bad.Fields[0].Problem == "" {
		t.Errorf("typed 1.5 for an integer: %+v, want an error at the field, and 1.5 to be sent anyway", bad)
	}
	if worse := typed("abc"); worse.OK || worse.ArgumentsJSON != `{"`+name+`":"abc"}` {
		t.Errorf("typed abc for an integer: %+v, want a string to be sent anyway", worse)
	}
	if c := p.call(l.ID, view.NewCall{Name: tool.Name, ArgumentsJSON: good.ArgumentsJSON}); !c.OK ||
		!strings.Contains(c.Content[0].Text, "12345678901234567890") || c.ElapsedNS <= 0 {
		t.Errorf("called: %+v", c)
	}
	problem := p.refused("POST", "/api/links/"+l.ID+"/calls",
		view.NewCall{Name: tool.Name, ArgumentsJSON: bad.ArgumentsJSON}, 400)
	if problem.Examination == nil || len(problem.Examination.Violations) == 0 {
		t.Errorf("wrong arguments are held back with %+v", problem)
	}
	c := p.call(l.ID, view.NewCall{Name: tool.Name, ArgumentsJSON: bad.ArgumentsJSON, Anyway: true})
	detail := ask[view.FrameDetail](p, "GET", "/api/links/"+l.ID+"/frames/"+itoa(c.Frames[0]), nil)
	if !strings.Contains(detail.Body, `"arguments":{"`+name+`":1.5}`) {
		t.Errorf("sent anyway: %s", detail.Body)
	}
}

// Each way to fail is a verdict of its own, and the payload is always there.
func TestVerdictsAreApart(t *testing.T) {
	p := newPage(t, nil, "")
	l := p.connect(view.NewLink{Server: p.scripted(`{"isError":true,"content":[{"type":"text","text":"no such ` +
		`thing"}]}`)})
	c := p.call(l.ID, view.NewCall{Name: "go"})
	if v := c.Verdicts; c.OK || v.Tool != "error" || v.RPC != nil || v.Transport != nil ||
		c.Content[0].Text != "no such thing" {
		t.Errorf("isError: %+v %+v", v, c.Content)
	}
	c = p.call(l.ID, view.NewCall{Method: "no/such/method", ParamsJSON: `{"x":1.0}`})
	if c.Method != "no/such/method" || c.Status != view.Done {
		t.Errorf("another method: %+v", c)
	}
	d := p.connect(view.NewLink{Server: "builtin-demo"})
	c = p.call(d.ID, view.NewCall{Method: "no/such/method"})
	if v := c.Verdicts; c.OK || v.RPC == nil || v.RPC.Code != "-32601" || v.RPC.Meaning != "method not found" ||
		v.Tool != "none" || c.ResultJSON == "" {
		t.Errorf("an unknown method: %+v %s", v, c.ResultJSON)
	}
	c = p.call(d.ID, view.NewCall{Raw: `{"jsonrpc":"2.0","id":"mine","method":"tools/list",` +
		`"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`})
	if len(c.Frames) != 2 || !c.Raw {
		t.Errorf("a raw message: %+v", c)
	}
}

// A question waits for its answer; the call goes on with exactly what was answered.
func TestQuestionIsAnsweredOnThePage(t *testing.T) {
	p := newPage(t, nil, "")
	l := p.connect(view.NewLink{Server: p.asking(`{"message":"How many?","requestedSchema":{"type":"object",` +
		`"properties":{"n":{"type":"integer"}},"required":["n"]}}`)})
	c := ask[view.Call](p, "POST", "/api/links/"+l.ID+"/calls", view.NewCall{Name: "go"})
	q := p.question(l.ID)
	if q.Message != "How many?" || q.Form == nil || len(q.Form.Fields) != 1 || q.Call != c.N {
		t.Fatalf("question: %+v", q)
	}
	value := func(text string) *arguments.Value {
		return &arguments.Value{State: arguments.Set,
			Items: []arguments.Value{{Name: "n", State: arguments.Set, Text: text}}}
	}
	p.refused("POST", "/api/links/"+l.ID+"/answers",
		view.Answer{Question: q.ID, Action: "accept", Value: value("many")}, 400)
	p.refused("POST", "/api/links/"+l.ID+"/answers", view.Answer{Question: "other", Action: "accept"}, 404)
	p.refused("POST", "/api/links/"+l.ID+"/answers", view.Answer{Question: q.ID, Action: "maybe"}, 400)
	ask[struct{}](p, "POST", "/api/links/"+l.ID+"/answers",
		view.Answer{Question: q.ID, Action: "accept", Value: value("9007199254740993")})
	if c = p.ended(l.ID, c.N); !c.OK || !strings.Contains(c.Content[0].Text, `"content":{"n":9007199254740993}`) ||
		c.Rounds != 1 {
		t.Errorf("answered: %+v", c)
	}
}

// Sampling is answered with what the person typed, or refused.
func TestSamplingIsAnsweredOnThePage(t *testing.T) {
	p := newPage(t, nil, "")
	for _, protocol := range []string{"2026-07-28", "2025-11-25"} {
		l := p.connect(view.NewLink{Server: "builtin-demo", Protocol: protocol})
		c := ask[view.Call](p, "POST", "/api/links/"+l.ID+"/calls",
			view.NewCall{Name: "ask_model", ArgumentsJSON: `{"prompt":"Hello?"}`})
		q := p.question(l.ID)
		if q.Method != "sampling/createMessage" || len(q.Messages) != 1 || q.Messages[0].Content[0].Text != "Hello?" {
			t.Errorf("%s: question %+v", protocol, q)
		}
		ask[struct{}](p, "POST", "/api/links/"+l.ID+"/answers",
			view.Answer{Question: q.ID, Action: "accept", Text: "Hi.", Model: "me"})
		if c = p.ended(l.ID, c.N); !strings.Contains(c.Content[0].Text, "Hi.") {
			t.Errorf("%s: answered %+v", protocol, c)
		}
	}
}

// A call that is cancelled ends, and the server is told.
func TestCallIsCancelled(t *testing.T) {
	p := newPage(t, nil, "")
	l := p.connect(view.NewLink{Server: "builtin-demo", Protocol: "2025-11-25"})
	c := ask[view.Call](p, "POST", "/api/links/"+l.ID+"/calls",
		view.NewCall{Name: "ask_model", ArgumentsJSON: `{"prompt":"Hello?"}`})
	p.question(l.ID)
	ask[view.Call](p, "POST", "/api/links/"+l.ID+"/calls/"+itoa(c.N)+"/cancel", nil)
	if c = p.ended(l.ID, c.N); c.Status != view.Cancelled {
		t.Errorf("status is %s, want cancelled", c.Status)
	}
	until(p, func() (view.Frames, bool) {
		f := ask[view.Frames](p, "GET", "/api/links/"+l.ID+"/frames?side=client&method=notifications/cancelled",
			nil)
		return f, len(f.Frames) == 1
	})
}

// A stream of events tells of a call from its beginning to its end, and a reader that comes later gets the state as it
// is.
func TestEventsTellWhatHappens(t *testing.T) {
	p := newPage(t, nil, "")
	l := p.connect(view.NewLink{Server: "builtin-demo"})
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	s := p.stream(ctx, "GET", "/api/events?after="+itoa(ask[view.Hello](p, "GET", "/api/hello", nil).Event), nil)
	ask[view.Call](p, "POST", "/api/links/"+l.ID+"/calls",
		view.NewCall{Name: "add", ArgumentsJSON: `{"a":1,"b":2}`})
	last := 0
	for {
		var e view.Event
		if !s.next(&e) {
			t.Fatal("the stream ended")
		}
		if e.ID <= last {
			t.Fatalf("event %d after %d", e.ID, last)
		}
		if last = e.ID; e.Kind == "call" && e.Call.Status == view.Done {
			break
		}
	}
	late := p.stream(ctx, "GET", "/api/events?after=0", nil)
	kinds := map[string]int{}
	for kinds["call"] == 0 || kinds["link"] == 0 || kinds["frames"] == 0 {
		var e view.Event
		if !late.next(&e) {
			t.Fatal("the stream ended")
		}
		kinds[e.Kind]++
	}
	ask[struct{}](p, "DELETE", "/api/links/"+l.ID, nil)
	for gone := false; !gone; {
		var e view.Event
		if !late.next(&e) {
			t.Fatal("the stream ended")
		}
		gone = e.Kind == "link_gone" && e.Link == l.ID
	}
}

// A transcript that was exported can be looked at again, without a server.
func TestTranscriptGoesOutAndIn(t *testing.T) {
	p := newPage(t, nil, "")
	l := p.connect(view.NewLink{Server: "builtin-demo"})
	p.call(l.ID, view.NewCall{Name: "add", ArgumentsJSON: `{"a":1,"b":2}`})
	_, _, text := p.send("GET", "/api/links/"+l.ID+"/export?format=jsonl", "", nil)
	in := ask[view.Link](p, "POST", "/api/transcripts", view.NewTranscript{Name: "kept", Text: text})
	if in.State != view.Offline {
		t.Errorf("state is %s, want offline", in.State)
	}
	rows := func(id string) string {
		var all []string
		for _, f := range ask[view.Frames](p, "GET", "/api/links/"+id+"/frames", nil).Frames {
			all = append(all, f.From+" "+f.Kind+" "+f.Method+" "+f.Preview)
		}
		return strings.Join(all, "\n")
	}
	if got, want := rows(in.ID), rows(l.ID); got != want {
		t.Errorf("imported:\n%s\nwant\n%s", got, want)
	}
	p.refused("GET", "/api/links/"+in.ID+"/list/tools", nil, 400)
	p.refused("POST", "/api/links/"+in.ID+"/reconnect", nil, 400)
	p.refused("POST", "/api/transcripts", view.NewTranscript{Name: "x", Text: "hello\n"}, 400)
	p.refused("POST", "/api/transcripts", view.NewTranscript{Name: "x"}, 400)
}

// A server whose process dies is told as closed, with its last words; connecting again goes on in the same place.
func TestServerDiesAndComesBack(t *testing.T) {
	argv, started := self(t)
	p := newPage(t, &target.Spec{Command: argv, Env: []string{"STARTED=" + started, "CANARY=xyz"}}, "")
	l := p.connect(view.NewLink{Server: "given"})
	if l.Transport != "stdio" || l.Era != "legacy" {
		t.Errorf("the link is %+v", l)
	}
	p.call(l.ID, view.NewCall{Name: "go"})
	lines := ask[view.StderrLines](p, "GET", "/api/links/"+l.ID+"/stderr/lines", nil)
	for end := time.Now().Add(10 * time.Second); len(lines.Lines) == 0 &&
		time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		// it comes by a pipe of its own
		lines = ask[view.StderrLines](p, "GET", "/api/links/"+l.ID+"/stderr/lines", nil)
	}
	if len(lines.Lines) == 0 || !strings.HasPrefix(lines.Lines[0].Text, "my canary is") || lines.Lines[0].N != 1 {
		t.Errorf("lines of standard error are %+v", lines)
	}
	if _, _, kept := p.send("GET", "/api/links/"+l.ID+"/export?format=jsonl", "", nil); !strings.Contains(kept,
		`"stream":"stderr","body":"my canary is`) {
		t.Errorf("the export has\n%s\nwant standard error in it", kept)
	}
	if got := ask[view.Stderr](p, "GET", "/api/links/"+l.ID+"/stderr", nil); !strings.Contains(got.Text,
		"my canary is") {
		t.Errorf("standard error is %q", got.Text)
	}
	if logs := ask[view.Logs](p, "GET", "/api/links/"+l.ID+"/logs", nil); len(logs.Entries) != 1 ||
		logs.Entries[0].Level != "info" {
		t.Errorf("logs are %+v", logs)
	}
	if l = ask[view.Link](p, "POST", "/api/links/"+l.ID+"/close", nil); l.State != view.Closed {
		t.Errorf("closed is %s", l.State)
	}
	p.refused("POST", "/api/links/"+l.ID+"/calls", view.NewCall{Name: "go"}, 400)
	ask[view.Link](p, "POST", "/api/links/"+l.ID+"/reconnect", nil)
	if l = p.settled(l.ID); l.State != view.Open {
		t.Fatalf("connected again: %+v", l)
	}
	if c := p.call(l.ID, view.NewCall{Name: "go"}); c.N != 2 || !c.OK {
		t.Errorf("the call after it is %+v", c)
	}
}

// A server that cannot be reached says why, and what to try.
func TestFailureHasCauseAndHint(t *testing.T) {
	p := newPage(t, nil, "")
	none := ask[view.Server](p, "POST", "/api/servers",
		view.NewServer{Name: "none", URL: "http://127.0.0.1:1/mcp"})
	l := ask[view.Link](p, "POST", "/api/links", view.NewLink{Server: none.ID})
	if l = p.settled(l.ID); l.State != view.Failed || l.Error == nil ||
		!strings.Contains(l.Error.Cause, "refused") || l.Error.Hint == "" {
		t.Errorf("nothing listens: %+v", l.Error)
	}
	p.refused("POST", "/api/links", view.NewLink{Server: "nobody"}, 404)
	p.refused("POST", "/api/links", view.NewLink{Server: "builtin-demo", Protocol: "1999-01-01"}, 400)
}

// An operation tells how far it is while it runs, and ends with its result.
func TestOperationTellsItsProgress(t *testing.T) {
	p := newPage(t, nil, "")
	l := p.connect(view.NewLink{Server: "builtin-demo"})
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	s := p.stream(ctx, "POST", "/api/run/tools/call",
		view.RunInput{Link: l.ID, InputJSON: `{"tool":"wait","arg":["milliseconds=300"]}`})
	kinds := map[string]int{}
	var last view.RunEvent
	for {
		var e view.RunEvent
		if !s.next(&e) {
			break
		}
		kinds[e.Kind]++
		last = e
	}
	if kinds["progress"] == 0 || kinds["result"] != 1 || last.Kind != "result" ||
		!strings.Contains(last.ResultJSON, `"content"`) || last.Failed {
		t.Errorf("told %v, at last %+v; want progress and then the result", kinds, last)
	}
}
