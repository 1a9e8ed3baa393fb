package fuzz

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var digitsProperty = &Property{finding.Rule{ID: "FUZZ-023", Severity: finding.Warning,
	Doc: `integer loses digits in the result

The schema allows an integer of more than 53 bits, and the result repeats it rounded: it was read as a floating-point number.
Identifiers of this size are common, and the rounded one belongs to something else. Read it as an integer or as text, or set
a maximum of 9007199254740991 in the schema.`}, preservesDigits}

// preservesDigits holds unless a result repeats a large integer of the arguments rounded.
func preservesDigits(s *observation) *violation {
	if len(s.integers) == 0 || !accepted(s) {
		return nil
	}
	members, _ := schema.Members(s.Case.Arguments)
	for _, m := range members {
		sent := string(m.Value)
		if len(sent) < minDigits || !slices.Contains(s.integers, m.Name) {
			continue
		}
		said := string(s.Exchange.Reply.Result)
		if rounded := exposure.FindRounded(sent, said); rounded != "" && !strings.Contains(said, sent) {
			return &violation{cause: "digits", message: "the result repeats " + m.Name + " rounded: expected " + sent +
				", got " + rounded}
		}
	}
	return nil
}

// minDigits is the number of digits from which an integer may lose some as a floating-point number.
const minDigits = 16

// integersOf lists the arguments that the schema of a tool declares as integers.
func integersOf(input json.RawMessage) []string {
	properties, _ := schema.Get(input, "/properties")
	members, _ := schema.Members(properties)
	var all []string
	for _, m := range members {
		if schema.TextAt(m.Value, "/type") == "integer" {
			all = append(all, m.Name)
		}
	}
	return all
}
