package inspector

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// showCall returns the current state of a call; whole adds its content.
func (c *conn) showCall(one *call, whole bool) view.Call {
	if whole {
		c.describe(one)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	in := one.in
	out := view.Call{Link: c.id, N: one.n, Method: in.Method, Name: in.Name,
		ArgumentsJSON: string(one.request.Arguments),
		ParamsJSON:    in.ParamsJSON, Raw: in.Raw != "",
		Anyway: in.Anyway, AsTask: in.AsTask, Status: one.status, Started: one.started,
		ElapsedNS: one.elapsed().Nanoseconds(), Progress: one.progress, ByApp: one.byApp}
	if out.Raw {
		out.ParamsJSON = in.Raw
	}
	out.Frames = c.framesOf(one, whole)
	if one.ended.IsZero() {
		return out
	}
	out.Verdicts = one.verdicts
	out.OK = out.Verdicts.Good()
	ex := one.exchange
	if ex == nil || ex.Reply == nil {
		return out
	}
	out.ResultBytes, out.Rounds = len(ex.Reply.Frame.Body), len(ex.Rounds)
	for _, round := range ex.Rounds {
		if id := taskID(round); id != "" {
			out.Task = id
		}
	}
	if s := one.shown; whole && s != nil {
		out.Content, out.Messages, out.StructuredJSON, out.StructuredBytes, out.ResultJSON = s.Content, s.Messages,
			s.StructuredJSON, s.StructuredBytes, s.ResultJSON
	}
	return out
}

// describe prepares a response for display, once. It holds no lock, as a response can be large.
func (c *conn) describe(one *call) {
	c.mu.Lock()
	ex, ended, known := one.exchange, !one.ended.IsZero(), one.shown
	c.mu.Unlock()
	if known != nil || !ended || ex == nil || ex.Reply == nil {
		return
	}
	shown := &view.Call{}
	showReply(shown, ex.Reply)
	c.mu.Lock()
	one.shown = shown
	c.mu.Unlock()
}

func (one *call) elapsed() time.Duration {
	switch {
	case one.ended.IsZero():
		return time.Since(one.started)
	case one.exchange != nil && one.exchange.Elapsed > 0:
		return one.exchange.Elapsed
	}
	return one.ended.Sub(one.started)
}

// showReply adds the content of a response.
func showReply(out *view.Call, reply *mcp.Message) {
	result := reply.Result
	if reply.Error != nil || result == nil {
		out.ResultJSON = view.IndentSmall(reply.Frame.Body)
		return
	}
	out.ResultJSON = view.IndentSmall(result)
	if list, ok := schema.Get(result, "/content"); ok {
		out.Content = view.ContentOf(list)
	}
	if list, ok := schema.Get(result, "/contents"); ok {
		out.Content = view.ContentsOf(list)
	}
	if list, ok := schema.Get(result, "/messages"); ok {
		out.Messages = view.MessagesOf(list)
	}
	if structured, ok := schema.Get(result, "/structuredContent"); ok {
		out.StructuredJSON, out.StructuredBytes = view.IndentSmall(structured), len(structured)
	}
}

// evaluate returns in which ways a call has failed; problem is why there was no response.
func (one *call) evaluate(ex *mcp.Exchange, problem *view.Problem) *view.Verdicts {
	v := &view.Verdicts{Transport: problem, Tool: "none", Output: calls.OutputNone, Violations: []view.Violation{},
		Problems: []string{}, Remarks: []view.Remark{}}
	if ex == nil {
		return v
	}
	if ex.Reply == nil {
		for _, n := range ex.Notices { // what arrived instead
			v.Remarks = append(v.Remarks, view.Remark{Kind: "notice", Message: n.Text})
		}
		return v
	}
	judged := one.request.Evaluate(one.session, ex)
	v.Failed = judged.Failed()
	v.Status, v.RPC, v.Output, v.Unchecked = ex.Status, view.RpcError(judged.RPC), judged.Output, judged.Unchecked
	for _, p := range judged.Problems {
		v.Problems = append(v.Problems, p.String())
	}
	v.Violations = view.ShowViolations(judged.Mismatches)
	for _, r := range judged.Remarks() {
		v.Remarks = append(v.Remarks, view.Remark{Kind: r.Kind, Message: r.Message})
	}
	switch {
	case one.request.Method != calls.Tool || judged.RPC != nil:
	case judged.IsError:
		v.Tool = "error"
	default:
		v.Tool = "ok"
	}
	return v
}

// framesOf returns the frames of a call: all of its rounds once it has a response, before that its probable
// request. With all, it includes those in between.
func (c *conn) framesOf(one *call, all bool) []int {
	frames := []int{}
	add := func(m *mcp.Message) {
		if m != nil && m.Frame.Seq > 0 {
			frames = append(frames, m.Frame.Seq)
		}
	}
	if one.exchange != nil {
		for _, ex := range append(slices.Clone(one.exchange.Rounds), one.exchange) {
			add(&ex.Request)
			for n := 0; all && n < len(ex.Between); n++ {
				add(&ex.Between[n])
			}
			add(ex.Reply)
		}
		slices.Sort(frames)
		return slices.Compact(frames)
	}
	for _, f := range c.log.Since(one.mark) {
		if f.From == wire.Client && mcp.Read(f).Method == one.in.Method {
			return append(frames, f.Seq)
		}
	}
	return frames
}

// taskID returns the ID of the task in a response.
func taskID(ex *mcp.Exchange) string {
	if ex.Reply == nil {
		return ""
	}
	for _, pointer := range []string{"/task/taskId", "/taskId"} {
		if id := schema.TextAt(ex.Reply.Result, pointer); id != "" {
			return id
		}
	}
	return ""
}

// Raw returns the response to a call, byte for byte.
func (i *Inspector) Raw(id string, n int) ([]byte, error) {
	_, one, err := i.call(id, n)
	if err != nil {
		return nil, err
	}
	reply, err := one.reply()
	if err != nil {
		return nil, err
	}
	return reply.Frame.Body, nil
}

// Bytes returns the decoded bytes of one content block of a call, with the type under which they may be shown;
// -1 is the structured content.
func (i *Inspector) Bytes(id string, n, index int) ([]byte, string, error) {
	_, one, err := i.call(id, n)
	if err != nil {
		return nil, "", err
	}
	reply, err := one.reply()
	if err != nil {
		return nil, "", err
	}
	if index < 0 {
		structured, _ := schema.Get(reply.Result, "/structuredContent")
		return []byte(view.Indent(structured)), "text/plain; charset=utf-8", nil
	}
	blocks := view.AllBlocks(reply.Result)
	if index >= len(blocks) {
		return nil, "", view.NotFound("the result has %d content blocks; unknown block %d", len(blocks), index)
	}
	content, kind := view.BlockBytes(json.RawMessage(blocks[index]))
	return content, kind, nil
}

func (one *call) reply() (*mcp.Message, error) {
	if one.exchange == nil || one.exchange.Reply == nil {
		return nil, view.NotFound("call %d has no response", one.n)
	}
	return one.exchange.Reply, nil
}
