package conform

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

var tool058 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-058",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `time in a result should have the offset of its time zone

A read-only tool returns the current time of a time zone. For two time zones, its clock shows the local time there, but the
offset beside it is another one, such as Z, which means UTC. A program that reads the time is wrong by hours. Format
the time together with its offset, as in 2026-11-20T16:15:00+09:00, or convert it to UTC before you write Z.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, c := range done {
			name := zoneArgument(c.Tool)
			if name == "" || tried == maxReads || causedRequest(c) ||
				!safety.Reads(c.Definition) {
				continue
			}
			tried++
			if err := p.compareZones(ctx, c.Tool, name); err != nil {
				return err
			}
		}
		return nil
	},
}

// zones are time zones with all offsets that they have, in minutes.
var zones = []struct {
	name    string
	offsets []int
}{
	{"Asia/Tokyo", []int{540}}, {"America/New_York", []int{-300, -240}}, {"Asia/Kolkata", []int{330}},
	{"America/Los_Angeles", []int{-480, -420}}, {"Australia/Sydney", []int{600, 660}}, {"Asia/Shanghai", []int{480}},
	{"Asia/Singapore", []int{480}}, {"Asia/Dubai", []int{240}}, {"America/Chicago", []int{-360, -300}},
	{"America/Sao_Paulo", []int{-180}}, {"Europe/Berlin", []int{60, 120}}, {"Europe/Paris", []int{60, 120}},
}

// maxZones is for how many time zones a tool is called; maxTimes is how many times a result may have, since one of the many in a
// forecast may be the local time by chance; maxSkew is how much the clock of a server may differ from ours.
const (
	maxZones = 2
	maxTimes = 3
	maxSkew  = 5 * time.Minute
)

// Arguments for time zones, properties with names of time zones, and times with an offset.
var (
	zoneNames  = lazyregexp.New(`^(?:\w+_)?(?:time_?zone|tz)(?:_?(?:name|id))?$`)
	zoneTexts  = lazyregexp.New(`\bIANA\b|\b(?:Asia|Europe|America|Australia)/[A-Z]`)
	zonedTimes = lazyregexp.New(`\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|[+-]\d\d:\d\d)`)
)

// zoneArgument returns the argument of a tool that is a time zone; empty if there is none or several.
func zoneArgument(t Tool) string {
	found := ""
	for _, m := range declaredArguments(t.Definition) {
		if !takes(m.Value, `"Asia/Tokyo"`) && !takes(m.Value, `"America/New_York"`) && At(m.Value, "/enum") == nil && At(m.Value, "/$ref") == nil {
			continue
		}
		if zoneNames().MatchString(schema.Snake(m.Name)) || zoneTexts().Match(m.Value) {
			if found != "" {
				return ""
			}
			found = m.Name
		}
	}
	return found
}

// compareZones reports a tool whose times have the local time of each of two time zones with another offset.
func (p *CheckContext) compareZones(ctx context.Context, t Tool, name string) error {
	message, before := "", 0
	tried := 0
	for _, zone := range zones {
		value := `"` + zone.name + `"`
		arguments := withArgument(t, t.Arguments, name, value)
		if !hasArgument(arguments, name, value) || before == zone.offsets[0] && tried > 0 {
			continue
		}
		ex, err := p.Call(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", arguments))
		if err != nil {
			return err
		}
		if c := (CallResult{t, ex}); c.Result() == nil || c.Failed() {
			return nil
		}
		message = mislabelled(ex.Reply.Result, zone.offsets, time.Now())
		if message == "" {
			return nil
		}
		before = zone.offsets[0]
		if tried++; tried == maxZones {
			p.once(Evidence{Subject: t.Name, Exchange: ex, Led: true}, "%s %s: %s", name, zone.name, message)
			return nil
		}
	}
	return nil
}

// mislabelled describes a time in a result that is now in a time zone by its clock, but not by its offset; empty if there
// is none.
func mislabelled(result json.RawMessage, offsets []int, now time.Time) string {
	all := zonedTimes().FindAllStringSubmatch(string(valueOf(result)), maxTimes+1)
	if len(all) > maxTimes {
		return ""
	}
	for _, m := range all {
		at, err := time.Parse(time.RFC3339, m[1]+"T"+m[2]+m[3])
		if err != nil {
			continue
		}
		clock, _ := time.Parse(time.RFC3339, m[1]+"T"+m[2]+"Z") // valid, since the time is
		for _, offset := range offsets {
			local := now.Add(time.Duration(offset) * time.Minute)
			_, seconds := at.Zone()
			if isNear(clock, local) && !isNear(at, now) && seconds != offset*60 {
				zone := time.FixedZone("", offset*60)
				return "expected the offset " + now.In(zone).Format("Z07:00") + " after the local time, got " + m[3]
			}
		}
	}
	return ""
}

func isNear(a, b time.Time) bool { return a.Sub(b).Abs() < maxSkew }
