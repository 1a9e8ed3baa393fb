package lint

import (
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec009 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-009",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `instructions to the model

The text instructs the model to do something unrelated to the tool: to hide something from the user, to read secrets, to
call this tool before all others, to disclose the conversation. One such phrase is common in legitimate tools, so the
rule requires two. It is a heuristic.

Describe the tool and leave the model's behavior to the host.`,
	},
	Check: func(p *Pass) {
		for _, text := range p.Tool.Texts() {
			if text.Key || len(text.Value) < 20 {
				continue
			}
			if signs := instructionSigns(strings.ToLower(text.Value)); len(signs) >= 2 {
				p.Report(text.Pointer, "the text instructs the model: %s", strings.Join(signs, "; "))
			}
		}
	},
}

// instructions are the phrases of each kind of instruction.
var instructions = []struct {
	sign    string
	phrases []string
}{
	{"secrecy", []string{"do not tell", "don't tell", "do not mention", "don't mention", "do not inform",
		"without telling", "without informing", "never reveal", "do not reveal", "keep this secret",
		"not to the user", "hide this from"}},
	{"precedence", []string{"before using any other tool", "before any other tool", "before calling any other",
		"ignore previous", "ignore all previous", "ignore other instructions", "instead of any other tool",
		"always call this tool first", "must be called first", "overrides all", "disregard"}},
	{"secrets", []string{".ssh", "id_rsa", ".env file", "/etc/passwd", "mcp.json", "private key",
		"api key of the user", "the user's password", "credentials file", "access token of"}},
	{"disclosure", []string{"as sidenote", "in sidenote", "conversation history", "system prompt",
		"full conversation", "previous messages", "chain of thought", "your instructions"}},
}

// instructionSigns lists the kinds of instructions in a lower-case text. It ends early if there cannot be two.
func instructionSigns(lower string) []string {
	var signs []string
	for i, kind := range instructions {
		if len(signs) == 0 && i == len(instructions)-1 {
			break
		}
		for _, phrase := range kind.phrases {
			if strings.Contains(lower, phrase) {
				signs = append(signs, kind.sign+" ("+strconv.Quote(phrase)+")")
				break
			}
		}
	}
	return signs
}
