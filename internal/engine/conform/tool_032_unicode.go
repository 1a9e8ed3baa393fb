package conform

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool032 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-032",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports"),
		Doc: `non-ASCII text must be received and returned unchanged

Messages are UTF-8. A tool that returns its input is called with letters of several alphabets and an emoji. If other
characters are returned, the text was decoded or encoded with another character set. Tools that say that they convert
text, for example to ASCII, are not called.`,
	},
	Needs: "tools",
	Slow:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, c := range done {
			name := echoed(c)
			if name == "" || tried == maxOddTools ||
				exposure.ConvertsText(c.Name, schema.TextAt(c.Definition, "/description")) {
				continue
			}
			arguments, err := schema.Apply(c.Arguments,
				[]finding.Edit{{Pointer: "/" + schema.Token(name), Value: json.RawMessage(strconv.Quote(wideText))}})
			if compiled, bad := schema.Compile(At(c.Definition, "/inputSchema"), nil); err != nil || bad != nil ||
				len(compiled.Validate(arguments)) > 0 {
				continue
			}
			tried++
			ex, err := p.Call(ctx, "tools/call", mcp.Object("name", c.Name, "arguments", arguments))
			if err != nil {
				return err
			}
			if text := textsOf(ex.Reply.Result); ex.Reply.Error == nil && !strings.Contains(text, wideText) &&
				garbled(text) {
				p.Report(Evidence{Subject: c.Name, Exchange: ex, Pointer: "/content"},
					"text was returned changed: expected %s, got %s", wideText, clip.Text(text, 120))
			}
		}
		if tried == 0 {
			return p.Skip("no callable tool returns a text that it was given")
		}
		return nil
	},
}

// wideText has letters of 2, 3 and 4 bytes.
const wideText = "mcptest \u017elu\u0165 \u6f22\u5b57 \U0001F600"

// garbled reports whether a text shows that characters were lost or decoded with another character set.
func garbled(text string) bool {
	for _, sign := range []string{"mcptest Å", "mcptest ?", "mcptest \ufffd", "æ¼", "ðŸ", "mcptest lu "} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}
