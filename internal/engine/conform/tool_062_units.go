package conform

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool062 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-062",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `unit that is requested should change the numbers of the result

An argument of a read-only tool selects the unit, such as celsius or fahrenheit. The tool was called with two units, and all numbers of
both results are the same, also temperatures, lengths or weights that are not zero. A model reports 20 degrees Fahrenheit on a warm day.
Typical cause: the code compares the argument with another word than the schema, such as imperial. Convert the values, or declare
only the unit that is returned.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, c := range done {
			name, units := unitsOf(c.Definition)
			if name == "" || tried == maxReads || c.Result() == nil || c.Failed() || causedRequest(c) ||
				string(At(c.Definition, "/annotations/readOnlyHint")) != "true" {
				continue
			}
			tried++
			if err := p.compareUnits(ctx, c.Tool, name, units); err != nil {
				return err
			}
		}
		if tried == 0 {
			return p.Skip("no called read-only tool has an argument for a unit")
		}
		return nil
	},
}

// unitPairs are units of one quantity with different numbers, and words for the two systems of units.
var unitPairs = [][2][]string{
	{{"celsius", "c", "metric", "si"}, {"fahrenheit", "f", "imperial", "us"}},
	{{"km", "kilometers", "kilometres"}, {"mi", "miles"}},
	{{"m", "meters", "metres", "cm"}, {"ft", "feet", "in", "inches"}},
	{{"kg", "kilograms"}, {"lb", "lbs", "pounds"}},
	{{"kmh", "km/h", "kph", "m/s"}, {"mph"}},
	{{"hpa", "mbar"}, {"inhg"}},
}

// quantities matches the names of numbers that have a unit.
var quantities = lazyregexp.New(`(?:^|_)(?:temp\w*|high|low|feels\w*|dew\w*|wind\w*|speed|gusts?|dist\w*|length|height|width|weight|mass|` +
	`depth|altitude|elevation|rain\w*|precip\w*|snow\w*|visibility|pressure|volume|celsius|fahrenheit|degrees)(?:_|$)`)

// unitsOf returns an argument of a tool that selects a unit, and two units of one quantity; empty if there is none.
func unitsOf(tool json.RawMessage) (name string, units [2]string) {
	for _, m := range declaredArguments(tool) {
		values := stringsIn(At(m.Value, "/enum"))
		for _, pair := range unitPairs {
			for side, words := range pair {
				units[side] = ""
				for _, v := range values {
					if slices.Contains(words, strings.ToLower(v)) {
						units[side] = v
						break
					}
				}
			}
			if units[0] != "" && units[1] != "" {
				return m.Name, units
			}
		}
	}
	return "", units
}

// compareUnits reports a tool whose numbers are the same for two units, if they are quantities.
func (p *CheckContext) compareUnits(ctx context.Context, t Tool, name string, units [2]string) error {
	for _, base := range slices.DeleteFunc([]json.RawMessage{t.Arguments, t.Other}, func(a json.RawMessage) bool { return a == nil }) {
		var numbers [2]map[string]string
		var last *mcp.Exchange
		for i, unit := range units {
			value, _ := json.Marshal(unit) // a string always marshals
			arguments := withArgument(t, base, name, string(value))
			if schema.TextAt(arguments, "/"+schema.Token(name)) != unit {
				return nil
			}
			if !p.round.takeCall(t.Name) {
				return nil
			}
			ex, err := p.Call(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", arguments))
			if err != nil {
				return err
			}
			if c := (CallResult{t, ex}); c.Result() == nil || c.Failed() {
				return nil
			}
			last, numbers[i] = ex, quantitiesIn(valueOf(ex.Reply.Result))
		}
		if len(numbers[0]) > 0 && maps.Equal(numbers[0], numbers[1]) {
			path := slices.Sorted(maps.Keys(numbers[0]))[0]
			p.once(Evidence{Subject: t.Name, Exchange: last}, "%s is %s: expected other numbers than with %s, got the same, such as %s %s",
				name, units[1], units[0], path, numbers[0][path])
			return nil
		}
	}
	return nil
}

// quantitiesIn returns the numbers other than zero in a result that have a unit by their name.
func quantitiesIn(result json.RawMessage) map[string]string {
	found := map[string]string{}
	eachNumber(result, func(path string, number json.Number) {
		n, err := number.Float64()
		if err == nil && n != 0 && quantities().MatchString(schema.Snake(path[strings.LastIndex(path, "/")+1:])) {
			found[path] = number.String()
		}
	})
	return found
}
