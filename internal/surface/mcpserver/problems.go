package mcpserver

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// Limits of the problems in one result; get_transcript has the rest.
const (
	maxProblems    = 20
	maxProblemText = 500
)

// Kinds of problems besides those of calls.
const (
	kindList   = "list"   // a list could not be read completely
	kindStderr = "stderr" // the server wrote to stderr, such as a warning or an exception
)

// A problem is something that a server did wrong, or that its developer should see, during one call of a tool.
type problem struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// observe starts the observation of the connection of the call.
func (c *call) observe() { c.mark, c.stderr = c.link.Log.Len(), c.link.Session.Stderr() }

// checked adds the remarks about the response.
func (c *call) checked(remarks []calls.Remark) {
	for _, r := range remarks {
		c.problems = append(c.problems, problem{r.Kind, r.Message})
	}
}

// observed returns the problems of the call: of its response, other violations of the protocol in its frames, and the
// output on stderr.
func (c *call) observed() []problem {
	all := c.problems
	if c.link != nil {
		for _, n := range c.link.Session.Notices() {
			if n.Frame > c.mark && !mentions(all, n.Text) {
				all = append(all, problem{calls.KindNotice, fmt.Sprintf("frame %d: %s", n.Frame, n.Text)})
			}
		}
		text := strings.TrimSpace(withoutOrdinaryLogs(since(c.stderr, c.link.Session.Stderr())))
		if text != "" {
			all = append(all, problem{kindStderr, text[max(0, len(text)-maxProblemText):]})
		}
	}
	if more := len(all) - maxProblems; more > 0 {
		all = append(all[:maxProblems:maxProblems], problem{calls.KindNotice,
			fmt.Sprintf("%d more; use get_transcript to see them", more)})
	}
	for i := range all {
		all[i].Message = strings.ToValidUTF8(clip.Text(all[i].Message, maxProblemText), "\uFFFD")
	}
	return all
}

func mentions(all []problem, text string) bool {
	for _, p := range all {
		if strings.Contains(p.Message, text) {
			return true
		}
	}
	return false
}

// since returns what was written to stderr after a state of it. Only the end of stderr is kept.
func since(before, now string) string {
	if rest, ok := strings.CutPrefix(now, before); ok {
		return rest
	}
	return now
}

// withProblems adds the problems to a result; nothing if there are none.
func withProblems(result []byte, problems []problem) []byte {
	if len(problems) == 0 {
		return result
	}
	out, err := schema.Apply(result, []finding.Edit{{Pointer: "/problems", Value: serve.Encode(problems)}})
	if err != nil {
		return result
	}
	return out
}
