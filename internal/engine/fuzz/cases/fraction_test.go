package cases

import (
	"encoding/json"
	"strconv"
	"testing"
)

// TestNearMissesSurviveRounding wants no number that violates the schema only as long as nobody rounds it to a
// floating-point number, as most parsers do.
func TestNearMissesSurviveRounding(t *testing.T) {
	for _, rules := range []string{
		`"minimum":-9007199254740991,"maximum":9007199254740991`, `"minimum":9007199254740000`,
		`"maximum":-9007199254740000`, `"minimum":-9223372036854775808,"maximum":9223372036854775807`,
		`"maximum":1000000000000000001`, `"minimum":1,"maximum":24`, `"maximum":1`, `"minimum":-8,"maximum":0`,
		`"multipleOf":5,"minimum":9007199254740995`, `"exclusiveMinimum":9007199254740993`,
	} {
		input := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer",` + rules + `}},"required":["n"]}`)
		g, err := NewGenerator("work", input, 1, Care{})
		if err != nil {
			t.Fatal(err)
		}
		fractions := 0
		for _, e := range g.edits[0] {
			value, err := strconv.ParseFloat(string(e.value), 64)
			if err != nil || e.kind != NearMiss {
				continue
			}
			if e.description == "type: a fraction instead of an integer at n" {
				fractions++
			}
			for _, text := range []string{string(e.value), strconv.FormatFloat(value, 'f', -1, 64)} {
				c := Case{Arguments: json.RawMessage(`{"n":` + text + `}`)}
				if g.Validate(&c); c.Allowed {
					t.Errorf("%s: %s (%s) is allowed as %s, expected a violation", rules, e.value, e.description, text)
				}
			}
		}
		if safe := len(rules) < 25; safe && fractions != 1 {
			t.Errorf("%s: got %d fractions, expected 1", rules, fractions)
		}
	}
}
