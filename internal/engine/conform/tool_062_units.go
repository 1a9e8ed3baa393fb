package conform

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

var tool062 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-062",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `unit that is requested should change the numbers of the result

An argument of a read-only tool selects the unit, such as celsius or fahrenheit. The tool was called with two units, and both results
are the same apart from the name of the unit, although they have temperatures, lengths or weights other than zero. A model
reports 20 degrees Fahrenheit on a warm day. Typical cause: the code compares the argument with another word than the schema, such
as imperial. Convert the values, or declare only the unit that is returned.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, c := range done {
			name, units, values := unitsOf(c.Definition)
			if name == "" || tried == maxReads || c.Result() == nil || c.Failed() || causedRequest(c) ||
				!safety.Reads(c.Definition) {
				continue
			}
			tried++
			if err := p.compareUnits(ctx, c.Tool, name, units, values); err != nil {
				return err
			}
		}
		if tried == 0 {
			return p.Skip("no called read-only tool has an argument for a unit")
		}
		return nil
	},
}

// unitPairs are units of one quantity with different numbers, or words for the two systems of units, with the names of numbers in
// them.
var unitPairs = []struct {
	units  [2][]string
	values func() *regexp.Regexp
}{
	{[2][]string{{"celsius", "c"}, {"fahrenheit", "f"}}, lazyregexp.New(`(?:^|_)(?:temp|temperature|high|low|feels_like|dew_point)(?:_|$)`)},
	{[2][]string{{"metric", "si"}, {"imperial", "us"}}, lazyregexp.New(`(?:^|_)(?:temp|temperature|wind_speed|dist|distance|height|weight)(?:_|$)`)},
	{[2][]string{{"km", "kilometers", "kilometres"}, {"mi", "miles"}}, lazyregexp.New(`(?:^|_)(?:dist|distance|visibility)(?:_|$)`)},
	{[2][]string{{"m", "meters", "metres"}, {"ft", "feet"}}, lazyregexp.New(`(?:^|_)(?:dist|distance|height|altitude|elevation|depth|length)(?:_|$)`)},
	{[2][]string{{"kg", "kilograms"}, {"lb", "lbs", "pounds"}}, lazyregexp.New(`(?:^|_)(?:weight|mass)(?:_|$)`)},
	{[2][]string{{"kmh", "km/h", "kph"}, {"mph"}}, lazyregexp.New(`(?:^|_)(?:speed|wind|gusts?)(?:_|$)`)},
}

// unitNames matches the names of arguments for a unit: values such as c and us alone may also be grades or countries.
var unitNames = lazyregexp.New(`unit|scale|system|temp|degree|dist|speed|weight|length|height|measure`)

// unitSuffix matches names of numbers whose unit does not depend on an argument.
var unitSuffix = lazyregexp.New(`_(?:c|f|k|km|mi|m|ft|kg|lbs?|kmh|kph|mph|celsius|fahrenheit|kelvin)$`)

// unitsOf returns an argument of a tool that selects a unit, two units of one quantity, and the names of numbers in them; no name if
// there is none.
func unitsOf(tool json.RawMessage) (name string, units [2]string, values *regexp.Regexp) {
	for _, m := range declaredArguments(tool) {
		if !unitNames().MatchString(schema.Snake(m.Name)) {
			continue
		}
		listed := stringsIn(At(m.Value, "/enum"))
		for _, pair := range unitPairs {
			for side, words := range pair.units {
				at := slices.IndexFunc(listed, func(v string) bool { return slices.Contains(words, strings.ToLower(v)) })
				if at < 0 {
					break
				}
				if units[side] = listed[at]; side == 1 {
					return m.Name, units, pair.values()
				}
			}
		}
	}
	return "", units, nil
}

// compareUnits reports a tool whose results are the same for two units, apart from the unit.
func (p *CheckContext) compareUnits(ctx context.Context, t Tool, name string, units [2]string, values *regexp.Regexp) error {
	var results [2]json.RawMessage
	var last *mcp.Exchange
	for i, unit := range units {
		value, _ := json.Marshal(unit) // a string always marshals
		arguments := withArgument(t, t.Arguments, name, string(value))
		if !hasArgument(arguments, name, string(value)) || !p.round.hasCalls(t.Name) {
			return nil
		}
		ex, err := p.Call(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", arguments))
		if err != nil {
			return err
		}
		if c := (CallResult{t, ex}); c.Result() == nil || c.Failed() {
			return nil
		}
		last, results[i] = ex, valueOf(ex.Reply.Result)
	}
	path, number := quantityIn(results[0], values, t.Arguments)
	if path != "" && withoutUnits(results[0], units) == withoutUnits(results[1], units) {
		p.Report(Evidence{Subject: t.Name, Exchange: last}, "%s is %s: expected other numbers than with %s, got the same, such as %s %s",
			name, units[1], units[0], path, number)
	}
	return nil
}

// withoutUnits is a result without the texts that are a unit.
func withoutUnits(result json.RawMessage, units [2]string) string {
	text := string(result)
	for _, unit := range units {
		text = strings.ReplaceAll(text, `"`+unit+`"`, `"unit"`)
	}
	return text
}

// quantityIn returns the first number other than zero in a result that has a unit by its name, and is none of the arguments.
func quantityIn(result json.RawMessage, values *regexp.Regexp, arguments json.RawMessage) (path, number string) {
	given := map[string]bool{}
	eachNumber(arguments, func(_ string, n json.Number) { given[n.String()] = true })
	eachNumber(result, func(at string, n json.Number) {
		name := schema.Snake(at[strings.LastIndex(at, "/")+1:])
		if amount, err := n.Float64(); err == nil && amount != 0 && !given[n.String()] && values.MatchString(name) &&
			!unitSuffix().MatchString(name) && (path == "" || at < path) {
			path, number = at, n.String()
		}
	})
	return path, number
}
