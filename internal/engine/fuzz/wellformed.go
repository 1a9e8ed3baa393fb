package fuzz

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/words"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// wellFormed checks a response against JSON-RPC and the tables of the session's protocol revision.
func wellFormed(s *observation) *violation {
	if s.Status >= http.StatusInternalServerError || s.Status/100 == 2 {
		return &violation{cause: "status", message: fmt.Sprintf("HTTP status %d instead of a response", s.Status)}
	}
	if s.unfinished != "" {
		return &violation{cause: unfinishedCause, message: s.unfinished}
	}
	var invalid *mcp.InvalidResponse
	if errors.As(s.Err, &invalid) {
		return &violation{cause: "invalid", message: invalid.Error()}
	}
	if s.Exchange == nil || s.Exchange.Reply == nil {
		return nil
	}
	reply := s.Exchange.Reply
	if odd := slices.DeleteFunc(slices.Clone(reply.Odd), isHarmless); len(odd) > 0 {
		return &violation{cause: odd[0], message: strings.Join(odd, "; ")}
	}
	if reply.Error != nil || s.surelyFine() {
		return nil
	}
	wrong := calls.Malformed(*s.revision, calls.Tool, reply.Result)
	if len(wrong) == 0 {
		if s.meta != nil && s.fineMeta != nil {
			*s.fineMeta = string(s.meta)
		}
		return nil
	}
	first := wrong[0]
	return &violation{cause: indices().ReplaceAllString(first.Pointer, "/#"),
		message: fmt.Sprintf("%s of the result: %s", first.Pointer, clip.Sized(first.Message, maxDisplayed))}
}

// isHarmless reports whether every client reads a message with this problem: JSON allows a carriage return after a value.
func isHarmless(problem string) bool { return problem == mcp.EndsWithCRLF }

// indices matches array indices; if one item is wrong, others are too.
var indices = lazyregexp.New(`/\d+`)

// surelyFine reports whether a result is of the plainest kind, which all revisions allow: only text content, and the
// same metadata as before. Any other result is checked against the tables, which takes longer than the call.
func (s *observation) surelyFine() bool {
	if s.parts(); !s.plain || schema.Kind(s.content) != '[' || !s.complete && s.revision.Era == spec.Modern {
		return false
	}
	if s.meta != nil && (s.fineMeta == nil || *s.fineMeta != string(s.meta)) {
		return false
	}
	blocks, err := schema.Elements(s.content)
	for _, b := range blocks {
		if !words.IsPlainText(b) {
			return false
		}
	}
	return err == nil
}

// unfinishedCause is the cause of an HTTP exchange that ends without a response.
const unfinishedCause = "unfinished"

// unfinishedBecause describes how an HTTP exchange ended without a response.
func unfinishedBecause(err error) string {
	if errors.Is(err, mcp.ErrOutcomeUnknown) {
		return "the stream ended without a response"
	}
	return "the connection was closed without a response: " + clip.Sized(err.Error(), maxDisplayed)
}
