package replay

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/recording"
)

// repeat sends one request and compares its response. It fails if the run or the session has ended.
func (r *replayer) repeat(ctx context.Context, x *recording.Exchange, alone bool) error {
	requests := &responder{steps: x.Steps, roots: r.roots,
		comparison: &comparison{before: x.Started, after: time.Now()}}
	request := mcp.Request{Method: x.Method, Params: r.current(x.Params), Input: requests.respond,
		Alone: alone}
	if x.Progress {
		request.OnProgress = func(mcp.Progress) {}
	}
	ex, err := r.session.Do(ctx, request)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.add(x, []change{{"", Outcome, outcome(x.Result, x.Error), rawjson.Quote("no response: " + err.Error())}})
		if r.session.Err() != nil {
			return err
		}
		return nil
	}
	c := &comparison{before: x.Started, after: time.Now(), volatile: r.volatile[x.Key()], ids: r.ids,
		arguments: string(x.Params)}
	c.changes = requests.finish()
	c.responses(x, r.session.Era, ex.Reply)
	r.add(x, c.changes)
	return nil
}

// responses compares the outcome, then the results.
func (c *comparison) responses(x *recording.Exchange, era spec.Era, reply *mcp.Message) {
	failure := serve.Boundary{Client: spec.Legacy, Server: era}.Failure(x.Method, reply.Error)
	recorded := serve.Boundary{Client: spec.Legacy, Server: x.Era}.Failure(x.Method, x.Error)
	old, now := outcome(x.Result, recorded), outcome(reply.Result, failure)
	switch {
	case string(old) != string(now):
		c.add("", Outcome, old, now)
	case recorded != nil:
		c.values("/error/message", "", rawjson.Quote(recorded.Message), rawjson.Quote(failure.Message), 0)
	default:
		c.values("", "", serve.Boundary{Client: spec.Legacy, Server: x.Era}.Result(x.Method, x.Result),
			serve.Boundary{Client: spec.Legacy, Server: era}.Result(x.Method, reply.Result), 0)
	}
}

// outcome describes a response as a JSON string.
func outcome(result json.RawMessage, failure *mcp.RPCError) json.RawMessage {
	if failure != nil {
		return rawjson.Quote("error " + string(serve.Encode(failure.Code)))
	}
	if failed, _ := schema.Get(result, "/isError"); string(failed) == "true" {
		return rawjson.Quote("result with isError")
	}
	return rawjson.Quote("result")
}

// add adds the differences of an exchange to the report.
func (r *replayer) add(x *recording.Exchange, changes []change) {
	subject := subjectOf(x)
	counted := map[int]bool{}
	for _, c := range changes {
		at := slices.IndexFunc(r.report.Differences, func(d Difference) bool {
			return d.Subject == subject && d.Path == c.path && d.Kind == c.kind
		})
		if at < 0 {
			at = len(r.report.Differences)
			r.report.Differences = append(r.report.Differences, Difference{Subject: subject, Frame: x.Seq,
				Path: c.path, Kind: c.kind, Old: c.old, New: c.new})
		}
		if !counted[at] {
			r.report.Differences[at].Calls++
			counted[at] = true
		}
	}
}
