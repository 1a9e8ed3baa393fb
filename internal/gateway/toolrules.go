package gateway

import (
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A toolRule applies to tools by their names, in addition to what the tools define themselves.
type toolRule struct {
	// the tools: server or server/tool, with * as a wildcard; /tool is a registered tool without a server
	Match   []string `json:"match"`
	Timeout duration `json:"timeout"` // timeout of calls; the last rule that sets one applies, before that of the tool
	// jq expressions over the arguments, as for registered tools: name and expression
	Validators []catalog.Validator `json:"validators"`
	// JSON Schema for the arguments, besides that of the tool
	Arguments json.RawMessage `json:"arguments"`
	// JSON Schema for the structured content of the result, besides that of the tool
	Result json.RawMessage `json:"result"`
}

func (r toolRule) rule() invoke.Rule {
	return invoke.Rule{Match: r.Match, Timeout: r.Timeout.Duration, Validators: r.Validators, Arguments: r.Arguments,
		Result: r.Result}
}

// rules returns the rules of tools.
func (s gatewaySettings) rules() []invoke.Rule {
	var all []invoke.Rule
	for _, r := range s.Tools {
		all = append(all, r.rule())
	}
	return all
}

// checkTools rejects invalid rules of tools.
func (s gatewaySettings) checkTools(file string) error {
	for i, r := range s.rules() {
		if err := r.Check(); err != nil {
			return &workbench.UsageError{Message: fmt.Sprintf("%s: gateway: tools: rule %d: %v", file, i+1, err),
				Hint: "allowed keys of a rule: match, timeout, validators (name and expression), arguments and result"}
		}
	}
	return nil
}
