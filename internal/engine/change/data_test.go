package change

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	independent "github.com/google/jsonschema-go/jsonschema"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/realdata"
)

// A state is a line of versions-dev.jsonl.
type state struct {
	Server     string
	Version    string
	Initialize struct {
		ProtocolVersion string
		Capabilities    json.RawMessage
		ServerInfo      struct{ Name, Version string }
		Instructions    string
	}
	Tools, Prompts, Templates, Resources []json.RawMessage
}

func (s *state) surface() *Surface {
	return &Surface{Source: s.Server + "@" + s.Version, Name: s.Initialize.ServerInfo.Name, Version: s.Version,
		Protocol:     s.Initialize.ProtocolVersion,
		Instructions: s.Initialize.Instructions, Capabilities: s.Initialize.Capabilities, Tools: s.Tools,
		Prompts:   s.Prompts,
		Resources: s.Resources, Templates: s.Templates}
}

func readStates(t testing.TB) []state {
	var all []state
	realdata.EachLine(t, realdata.Path(t, "versions-dev.jsonl"), func(line []byte) {
		var s state
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	})
	return all
}

// figures are what the test over real servers counts.
type figures struct {
	pairs, changed, unknown          int
	breaking, confirmed              int // breaking changes of tools
	falseCompatible, missed, alarms  int // tools
	breakingTools, cosmetic, samples int
	unvalidated                      int // tools whose schema the independent validator refuses
}

// TestRealVersions compares all neighboring states of real servers. An independent validator confirms counterexamples,
// and random samples look for breaks that were missed. MCPTEST_SAMPLES sets the samples per changed tool.
func TestRealVersions(t *testing.T) {
	states := readStates(t)
	samples := 100
	if n, err := strconv.Atoi(os.Getenv("MCPTEST_SAMPLES")); err == nil {
		samples = n
	}
	var f figures
	for i := 1; i < len(states); i++ {
		before, after := &states[i-1], &states[i]
		if before.Server != after.Server {
			continue
		}
		f.pairs++
		f.add(t, before, after, samples)
	}
	t.Logf("%d pairs, %d changed tools, %d breaking, %d cosmetic, %d unknown; %d of %d breaking changes confirmed; "+
		"%d samples: %d false compatible, %d missed, %d false alarms; %d tools without an independent validation",
		f.pairs, f.changed, f.breakingTools, f.cosmetic, f.unknown, f.confirmed, f.breaking, f.samples,
		f.falseCompatible, f.missed, f.alarms, f.unvalidated)
	if f.falseCompatible > 0 || f.missed > 0 {
		t.Errorf("%d compatible verdicts contradicted, %d breaks missed; want none", f.falseCompatible, f.missed)
	}
	if f.confirmed*100 < f.breaking*95 {
		t.Errorf("%d of %d breaking changes confirmed, want 95 %%", f.confirmed, f.breaking)
	}
	if f.alarms*100 > f.breakingTools*2 {
		t.Errorf("%d false alarms in %d breaking tools, want at most 2 %%", f.alarms, f.breakingTools)
	}
	if f.unknown*100 >= f.changed*3 {
		t.Errorf("%d of %d changed tools unknown, want less than 3 %%", f.unknown, f.changed)
	}
}

func (f *figures) add(t *testing.T, before, after *state, samples int) {
	d := Compare(before.surface(), after.surface())
	old, _ := keyed(before.Tools, "name")
	now, _ := keyed(after.Tools, "name")
	for _, item := range d.Items {
		if item.Kind != ToolItem || item.Status == Added {
			continue
		}
		was, is := old[item.Name], now[item.Name]
		if item.Was != "" {
			was = old[item.Was]
		}
		f.changed++
		label := fmt.Sprintf("%s %s→%s %s", before.Server, before.Version, after.Version, item.Name)
		switch item.Verdict {
		case Unknown:
			f.unknown++
			t.Logf("unknown: %s: %s (%s)", label, item.Changes[0].Message, item.Changes[0].Basis)
		case Breaking:
			f.breakingTools++
		case Cosmetic:
			f.cosmetic++
		}
		confirmed := f.confirm(t, label, item, was, is)
		if item.Status == Removed {
			continue
		}
		proven := f.sample(t, label, item, was, is, samples)
		switch {
		case proven != "" && item.Verdict != Breaking:
			f.missed++
			if item.Verdict == Compatible || item.Verdict == Cosmetic || item.Verdict == Meaning {
				f.falseCompatible++
			}
			t.Errorf("%s: %s, but %s is rejected", label, item.Verdict, proven)
		case proven == "" && item.Verdict == Breaking && !confirmed:
			f.alarms++
			t.Logf("false alarm: %s: %s", label, item.Changes[0].Message)
		}
	}
}

// confirm checks the counterexamples of an item with the independent validator.
func (f *figures) confirm(t *testing.T, label string, item Item, was, is map[string]any) bool {
	proven := false
	for _, c := range item.Changes {
		if c.Verdict != Breaking {
			continue
		}
		f.breaking++
		ok := false
		switch {
		case c.Counterexample == nil:
		case c.Counterexample.Result != nil:
			ok = is["outputSchema"] == nil || accepts(is["outputSchema"], c.Counterexample.Result) == yes
			ok = ok && accepts(was["outputSchema"], c.Counterexample.Result) == no
		case item.Status == Removed, c.Kind == "tool-renamed", c.Kind == "task-support":
			ok = accepts(was["inputSchema"], c.Counterexample.Arguments) == yes
		default:
			ok = accepts(was["inputSchema"], c.Counterexample.Arguments) == yes &&
				accepts(is["inputSchema"], c.Counterexample.Arguments) == no
		}
		if ok {
			f.confirmed++
			proven = true
		} else {
			t.Logf("not confirmed: %s: %s", label, c.Message)
		}
	}
	return proven
}

type truth int

const (
	no truth = iota
	yes
	refused
)

var validators = map[string]*independent.Resolved{}

// accepts asks the independent validator.
func accepts(of any, value json.RawMessage) truth {
	v := validator(of)
	if v == nil {
		return refused
	}
	var instance any
	if json.Unmarshal(value, &instance) != nil {
		return refused
	}
	if v.Validate(instance) != nil {
		return no
	}
	return yes
}

func validator(of any) *independent.Resolved {
	raw := encode(of)
	if known, ok := validators[string(raw)]; ok {
		return known
	}
	var s independent.Schema
	var resolved *independent.Resolved
	if json.Unmarshal(raw, &s) == nil {
		resolved, _ = s.Resolve(nil)
	}
	validators[string(raw)] = resolved
	return resolved
}

// sample looks for arguments that were valid and are rejected now, or for a result the other way around.
func (f *figures) sample(t *testing.T, label string, item Item, was, is map[string]any, count int) string {
	if !equal(was["inputSchema"], is["inputSchema"]) {
		if found := f.search(was["inputSchema"], is["inputSchema"], count); found != "" {
			return found
		}
	}
	if was["outputSchema"] != nil && is["outputSchema"] != nil && !equal(was["outputSchema"], is["outputSchema"]) {
		return f.search(is["outputSchema"], was["outputSchema"], count)
	}
	return ""
}

func (f *figures) search(inner, outer any, count int) string {
	from, to := validator(inner), validator(outer)
	compiled, err := schema.Compile(encode(inner), nil)
	if from == nil || to == nil || err != nil {
		f.unvalidated++
		return ""
	}
	m := mutator{random: rand.New(rand.NewPCG(7, 7)), pool: poolOf(inner, outer)}
	var bases []any
	for seed := range uint64(20) {
		for _, o := range []schema.SampleOptions{{Seed: seed, AllProperties: true},
			{Seed: seed, Style: schema.Smallest}, {Seed: seed}} {
			if sample, err := compiled.Sample(&o); err == nil {
				bases = append(bases, decode(sample))
			}
		}
	}
	if len(bases) == 0 {
		return ""
	}
	for tries, valid := 0, 0; valid < count && tries < 6*count; tries++ {
		value := bases[m.random.IntN(len(bases))]
		if tries >= len(bases) {
			for range 1 + m.random.IntN(3) {
				value = m.mutate(value)
			}
		} else {
			value = bases[tries]
		}
		var instance any
		if json.Unmarshal(encode(value), &instance) != nil {
			continue
		}
		if from.Validate(instance) != nil {
			continue
		}
		if _, isObject := instance.(map[string]any); !isObject {
			continue
		}
		valid++
		f.samples++
		if to.Validate(instance) != nil {
			return string(encode(value))
		}
	}
	return ""
}

// A mutator changes values; it never adds a property, so that samples only contain what the schema declares.
type mutator struct {
	random *rand.Rand
	pool   []any
}

func (m *mutator) mutate(value any) any {
	if m.random.IntN(4) == 0 {
		return m.pool[m.random.IntN(len(m.pool))]
	}
	switch value := value.(type) {
	case map[string]any:
		if len(value) == 0 {
			return value
		}
		names := slices.Sorted(maps.Keys(value))
		name := names[m.random.IntN(len(names))]
		changed := maps.Clone(value)
		if m.random.IntN(3) == 0 {
			delete(changed, name)
		} else {
			changed[name] = m.mutate(value[name])
		}
		return changed
	case []any:
		if len(value) == 0 || m.random.IntN(3) == 0 {
			return append(slices.Clone(value), m.pool[m.random.IntN(len(m.pool))])
		}
		changed := slices.Clone(value)
		i := m.random.IntN(len(value))
		if m.random.IntN(3) == 0 {
			return slices.Delete(changed, i, i+1)
		}
		changed[i] = m.mutate(value[i])
		return changed
	}
	return m.pool[m.random.IntN(len(m.pool))]
}

// poolOf collects the values that the schemas mention, and values near them.
func poolOf(schemas ...any) []any {
	pool := []any{nil, true, false, "", "x", "text", strings.Repeat("x", 300), []any{}, json.Number("0"),
		json.Number("1"), json.Number("-1"),
		json.Number("1.5"), json.Number("1000000"), "2024-01-01", "https://example.com", "a@example.com"}
	var collect func(value any)
	collect = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for key, inner := range value {
				switch key {
				case "enum", "examples":
					list, _ := inner.([]any)
					pool = append(pool, list...)
				case "const", "default":
					pool = append(pool, inner)
				case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
					if n, err := strconv.ParseInt(brief(inner), 10, 64); err == nil && n < 1<<52 && n > -1<<52 {
						for _, near := range []int64{n - 1, n, n + 1} {
							pool = append(pool, json.Number(strconv.FormatInt(near, 10)))
						}
					}
				case "minLength", "maxLength", "minItems", "maxItems":
					if n, err := strconv.Atoi(brief(inner)); err == nil && n < 10_000 {
						for _, near := range []int{n - 1, n, n + 1} {
							pool = append(pool, strings.Repeat("x", max(near, 0)))
						}
					}
				}
				collect(inner)
			}
		case []any:
			for _, inner := range value {
				collect(inner)
			}
		}
	}
	for _, s := range schemas {
		collect(s)
	}
	slices.SortStableFunc(pool, func(a, b any) int { return strings.Compare(string(encode(a)), string(encode(b))) })
	return pool
}
