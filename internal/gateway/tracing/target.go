package tracing

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"go.opentelemetry.io/otel/attribute"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// A target is the subject of a request: a tool, a prompt or a resource.
type target struct {
	tool, prompt, uri string
}

func targetOf(method string, fields map[string]json.RawMessage) (t target) {
	text := func(name string) string {
		var value string
		_ = json.Unmarshal(fields[name], &value)
		return value
	}
	switch method {
	case "tools/call":
		t.tool = spanText(text("name"))
	case "prompts/get":
		t.prompt = spanText(text("name"))
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		t.uri = bare(text("uri"))
	}
	return t
}

// title is the name of a span. A URI is not included: there are too many of them.
func (t target) title(method string) string {
	return strings.TrimSpace(spanText(method) + " " + t.tool + t.prompt)
}

func (t target) attributes(method string) []attribute.KeyValue {
	all := make([]attribute.KeyValue, 0, 12)
	all = append(all, attribute.String("mcp.method.name", spanText(method)))
	switch {
	case t.tool != "":
		all = append(all, attribute.String("gen_ai.tool.name", t.tool),
			attribute.String("gen_ai.operation.name", "execute_tool"))
	case t.prompt != "":
		all = append(all, attribute.String("gen_ai.prompt.name", t.prompt))
	case t.uri != "":
		all = append(all, attribute.String("mcp.resource.uri", t.uri))
	}
	return all
}

// maxText is the maximum length of external text in a span.
const maxText = 128

// spanText is external text as a span shows it: shortened, and without anything that looks like a secret.
func spanText(text string) string { return redact.Text(clip.Head(text, maxText)) }

// bare is a URI without the parts that may be secret: the user information and the query.
func bare(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment, u.RawFragment = nil, "", "", ""
	return spanText(u.String())
}

func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

func isTimeout(err error) bool { return errors.Is(err, context.DeadlineExceeded) }
