package calls

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Evaluate checks the response to the call.
func (c *Call) Evaluate(s *mcp.Session, ex *mcp.Exchange) *Verdict {
	v := &Verdict{Output: OutputNone}
	if ex == nil || ex.Reply == nil {
		return v
	}
	reply := ex.Reply
	revision, known := spec.Find(s.Version)
	if !known {
		revision = spec.Newest()
	}
	v.Notices, v.Problems = c.notices(s, reply), envelope(revision, reply)
	if v.RPC = reply.Error; v.RPC != nil {
		return v
	}
	v.Problems = append(v.Problems, c.malformed(revision, reply.Result)...)
	if c.Method == Tool {
		v.IsError = IsError(reply.Result)
		v.checkOutput(c.Definition, reply.Result)
	}
	return v
}

// notices returns those of the session since the request, up to the response.
func (c *Call) notices(s *mcp.Session, reply *mcp.Message) []string {
	all := s.Notices()
	var during []string
	for _, n := range all[min(c.noticesBefore, len(all)):] {
		if reply.Frame.Seq == 0 || n.Frame <= reply.Frame.Seq {
			during = append(during, n.Text)
		}
	}
	return during
}

// envelope lists violations of JSON-RPC and the revision in the message around the result or the error.
func envelope(revision spec.Revision, reply *mcp.Message) []Problem {
	body := bytes.TrimSpace(reply.Frame.Body)
	if len(body) == 0 || body[0] != '{' || !json.Valid(body) {
		return nil // one message of several; the session has reported it
	}
	var all []Problem
	for _, v := range revision.ValidateResponse(spec.Client, "", body) {
		if !strings.HasPrefix(v.Pointer, "/result/") { // checked by Malformed
			all = append(all, Problem{Message: schema.Label(v.Pointer) + ": " + v.Message})
		}
	}
	return all
}

// malformed lists what makes the result unusable.
func (c *Call) malformed(revision spec.Revision, result json.RawMessage) []Problem {
	if c.Method != Tool && c.Method != Resource && c.Method != Prompt || schema.Kind(result) != '{' {
		return nil // a result that is not an object is malformed as a message
	}
	var all []Problem
	for _, p := range Malformed(revision, c.Method, result) {
		if !AboutCaching(p.Pointer) {
			all = append(all, p)
		}
	}
	if _, ok := schema.Get(result, "/contents"); c.Method == Resource && ok &&
		len(elementsAt(result, "/contents")) == 0 && len(all) == 0 {
		all = append(all, Problem{"/contents", "the list is empty"})
	}
	return all
}

// AboutCaching reports whether a field is about the handling of the result, not about its content. A client can
// use a result without it; conform checks it.
func AboutCaching(pointer string) bool {
	return pointer == "/resultType" || pointer == "/ttlMs" || pointer == "/cacheScope"
}

// Malformed lists violations of the revision in a result, and binary content that is not base64.
func Malformed(revision spec.Revision, method string, result json.RawMessage) []Problem {
	var all []Problem
	for _, v := range revision.ValidateResult(spec.Client, method, result) {
		if v.Pointer == "" {
			v.Message = "result: " + v.Message
		}
		all = append(all, Problem(v))
	}
	for i, item := range elementsAt(result, "/content") {
		all = append(all, notBase64(item, fmt.Sprintf("/content/%d", i))...)
	}
	for i, item := range elementsAt(result, "/contents") {
		all = append(all, notBase64In(item, "/blob", fmt.Sprintf("/contents/%d", i))...)
	}
	for i, item := range elementsAt(result, "/messages") {
		block, _ := schema.Get(item, "/content")
		all = append(all, notBase64(block, fmt.Sprintf("/messages/%d/content", i))...)
	}
	return all
}

// notBase64 checks the binary data of a content block at a pointer.
func notBase64(block json.RawMessage, at string) []Problem {
	switch schema.TextAt(block, "/type") {
	case "image", "audio":
		return notBase64In(block, "/data", at)
	case "resource":
		return notBase64In(block, "/resource/blob", at)
	}
	return nil
}

func notBase64In(block json.RawMessage, member, at string) []Problem {
	raw, _ := schema.Get(block, member)
	data, isText := schema.Text(raw)
	if !isText {
		return nil // absent, or the shape is wrong
	}
	if _, err := base64.StdEncoding.DecodeString(data); err != nil {
		return []Problem{{at + member, "not valid base64: " + err.Error()}}
	}
	return nil
}

// IsError reports whether a tool's result has isError set.
func IsError(result json.RawMessage) bool {
	flag, _ := schema.Get(result, "/isError")
	return string(flag) == "true"
}

// checkOutput checks structured content against the output schema, except if the tool reports an error.
func (v *Verdict) checkOutput(tool, result json.RawMessage) {
	output, declared := schema.Get(tool, "/outputSchema")
	if !declared || v.IsError {
		return
	}
	compiled, err := schema.Compile(output, nil)
	if err != nil {
		v.Output, v.Unchecked = OutputUnchecked, "invalid output schema: "+err.Error()
		return
	}
	content, _ := schema.Get(result, "/structuredContent")
	v.Output, v.Mismatches = OutputValid, CheckOutput(compiled, content)
	if len(v.Mismatches) > 0 {
		v.Output = OutputInvalid
	}
}

// CheckOutput lists where structured content violates the output schema; nil content is absent.
func CheckOutput(output *schema.Schema, content json.RawMessage) []schema.Violation {
	if content == nil {
		return []schema.Violation{{Rule: "required", Expected: "structuredContent", Received: "nothing",
			Message: "the tool has an output schema but returned no structured content"}}
	}
	return output.Validate(content)
}
