package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/cputime"
)

// The bar for a schema that was written to hurt.
const (
	maxTime   = 250 * time.Millisecond * slowdown
	maxMemory = 64 << 20
)

// cost runs f and returns its CPU time and what it allocated in all, which bounds what it held at once. If the time is
// over the bar it runs f again and returns the shortest time, to separate the cost from the load of the machine.
func cost(f func()) (elapsed time.Duration, memory uint64) {
	elapsed = math.MaxInt64
	for range 5 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := cputime.Used()
		f()
		elapsed = min(elapsed, cputime.Used()-start)
		runtime.ReadMemStats(&after)
		if memory = after.TotalAlloc - before.TotalAlloc; elapsed <= maxTime {
			break
		}
	}
	return elapsed, memory
}

func nest(levels int, open, inner, close string) string {
	return strings.Repeat(open, levels) + inner + strings.Repeat(close, levels)
}

func joined(n int, format string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, ",")
}

// refBomb doubles at each of n levels.
func refBomb(n int, link string) string {
	var defs []string
	for i := range n {
		defs = append(defs, fmt.Sprintf(`"d%d":`+link, i, i+1, i+1))
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/d0","$defs":{%s,"d%d":{"type":"object"}}}`, strings.Join(defs, ","), n)
}

const twice = `{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`

func TestHostileSchemasAreRefusedCheaply(t *testing.T) {
	for _, test := range []struct {
		name, schema string
		want         CompileErrorKind
	}{
		{"depth 65", nest(64, `{"not":`, "{}", "}"), OverLimit},
		{"depth 10,000", nest(10_000, `{"not":`, "{}", "}"), OverLimit},
		{"depth 4 million", nest(4_000_000, `[`, "", "]"), OverLimit},
		{"a million keys", `{"properties":{` + joined(1_000_000, `"k%d":{}`) + `}}`, OverLimit},
		{"4 MiB of empty objects", `{"allOf":[` + strings.Repeat("{},", 1<<20) + `{}]}`, OverLimit},
		{"objects up to the byte limit", `{"allOf":[` + strings.Repeat("{},", 1<<18) + `{}]}`, OverLimit},
		{"booleans where no keyword leads", `{"$ref":"#/x","x":{"properties":{` + joined(50_000, `"k%d":true`) + `}}}`,
			OverLimit},
		{"a pattern of a million characters", `{"pattern":"` + strings.Repeat("a", 1_000_000) + `"}`, OverLimit},
		{"a pattern that repeats", `{"pattern":"(` + strings.Repeat("ab", 1000) + `){1000}"}`, OverLimit},
		{"many patterns that repeat", `{"allOf":[` + joined(2500, `{"pattern":"((a%d{1,30}){1,30})"}`) + `]}`,
			OverLimit},
		{"Unicode classes", `{"pattern":"` + strings.Repeat(`\\pL`, 1000) + `"}`, OverLimit},
		{"$ref bomb 2^24", refBomb(24, twice), OverLimit},
		{"$ref bomb 2^60", refBomb(60, twice), OverLimit},
		{"$ref bomb by anyOf", refBomb(40, `{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`), OverLimit},
		{"$ref bomb by if and not", refBomb(40, `{"if":{"$ref":"#/$defs/d%d"},"not":{"$ref":"#/$defs/d%d"}}`),
			OverLimit},
		{"$ref to itself", `{"$ref":"#"}`, EndlessRef},
		{"$ref in a circle", `{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},` +
			`"b":{"$ref":"#/$defs/a"}}}`, EndlessRef},
		{"many references to unknown places", `{"allOf":[` + joined(1500, `{"$ref":"#/x/%d"}`) + `],"x":[` +
			joined(1500, `{"properties":{"p%d":{}}}`) + `]}`, OverLimit},
		{"a number of a billion digits", `{"minimum":1e1000000000}`, OverLimit},
		{"a number of a million digits", `{"minimum":` + strings.Repeat("1", 1_000_000) + `}`, OverLimit},
		{"dynamic anchors", `{"$dynamicRef":"#x","$dynamicAnchor":"x","$defs":{"b":{"$id":"b","$dynamicAnchor":"x"}}}`,
			OverLimit},
	} {
		t.Run(test.name, func(t *testing.T) {
			var err error
			raw := json.RawMessage(test.schema)
			elapsed, memory := cost(func() { _, err = Compile(raw, nil) })
			var refused *CompileError
			if !errors.As(err, &refused) || refused.Kind != test.want {
				t.Errorf("Compile = %v, want a %s error", err, test.want)
			}
			if elapsed > maxTime || memory > maxMemory {
				t.Errorf("cost %v and %d MiB, want at most %v and %d MiB", elapsed, memory>>20, maxTime, maxMemory>>20)
			}
			t.Logf("%v, %d KiB: %v", elapsed.Round(time.Microsecond), memory>>10, err)
		})
	}
}

func TestTheWorstAllowedSchemasAreCheap(t *testing.T) {
	limits := (*Limits)(nil).withDefaults()
	longEnum := `{"items":{"enum":[` + joined(10_000, "%d") + `]}}`
	numbers := "[" + joined(2_000, "1%d.5") + "]"
	for _, test := range []struct{ name, schema, value string }{
		{"depth 64", nest(63, `{"not":`, "{}", "}"), `{}`},
		{"all subschemas", `{"properties":{` + joined(limits.Subschemas-1,
			`"property_number_%d":{"type":"string","description":"x"}`) + `}}`, `{}`},
		{"all subschemas in place", `{"anyOf":[` + joined(limits.Subschemas-1, `{"minimum":%d}`) + `]}`, `-1`},
		{"a chain of references", refChain(limits.Subschemas/2 - 2), `{}`},
		{"a chain of references for each item", strings.ReplaceAll(`{"items":`+refChain(limits.Subschemas/2-2)+`}`,
			"#/", "#/items/"), `[` + strings.Repeat("1,", 8) + "1]"},
		{"$ref bomb for each item", `{"items":{"$ref":"#/items/$defs/d0","$defs":` +
			strings.SplitN(strings.ReplaceAll(refBomb(10, twice), "#/", "#/items/"), `"$defs":`, 2)[1] + `}`,
			`[` + strings.Repeat("{},", 15) + "1]"},
		{"references to unknown places", `{"allOf":[` + joined(300, `{"$ref":"#/x/%d"}`) + `],"x":[` +
			joined(300, `{"properties":{"p%d":{}}}`) + `]}`, `{}`},
		{"nested unknown places", unknownPlaces(60), `{}`},
		{"$ref bomb within the expansion", refBomb(10, twice), `{}`},
		{"$ref bomb by depth", `{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"properties":{"x":{"$ref":"#/$defs/a"}}},` +
			`{"properties":{"x":{"$ref":"#/$defs/a"}}}]}}}`, nest(100, `{"x":`, "1", "}")},
		{"long enum, many numbers", longEnum, numbers},
		{"big constant in many places", `{"items":{"allOf":[` +
			joined(10, `{"minLength":%d,"not":{"const":`+numbers+`}}`) + `]}}`, "[" + numbers + "]"},
		{"pattern on a long text", `{"pattern":"^(a|b|ab|ba|[a-z]{1,20}|.{1,300}x)*$"}`,
			`"` + strings.Repeat("ab", 500_000) + `"`},
		{"pattern without end on a backtracking engine", `{"items":{"pattern":"^(?=a)(a+)+$"}}`,
			`[` + strings.Repeat(`"`+strings.Repeat("a", 40)+`!",`, 200) + `""]`},
		{"patternProperties", `{"patternProperties":{` + joined(200, `"^a{0,%d}$":{}`) + `}}`,
			`{` + joined(300, `"k%d":1`) + `}`},
		{"unique items", `{"uniqueItems":true,"items":{"uniqueItems":true}}`, "[" + numbers + "]"},
		{"unevaluated", `{"unevaluatedProperties":false,"allOf":[` +
			joined(200, `{"properties":{"a%d":{}},"anyOf":[{}]}`) + `]}`, `{` + joined(1_000, `"k%d":1`) + `}`},
		{"a number of a billion digits in the value", `{"type":"integer"}`, `1e1000000000`},
		{"a deep value", `{}`, nest(4_000_000, "[", "", "]")},
		{"many errors", `{"items":{"type":"string"}}`, "[" + joined(80_000, "%d") + "]"},
		{"too many errors", `{"items":{"type":"string"}}`, "[" + joined(200_000, "%d") + "]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var violations []Violation
			var err error
			var s *Schema
			raw, value := json.RawMessage(test.schema), json.RawMessage(test.value)
			elapsed, memory := cost(func() { s, err = Compile(raw, nil) })
			if elapsed > maxTime || memory > maxMemory {
				t.Errorf("Compile cost %v and %d MiB, want at most %v and %d MiB", elapsed, memory>>20, maxTime,
					maxMemory>>20)
			}
			if err != nil {
				t.Fatalf("Compile = %v", err)
			}
			spent, used := cost(func() { violations = s.Validate(value) })
			if spent > maxTime || used > maxMemory {
				t.Errorf("Validate cost %v and %d MiB, want at most %v and %d MiB", spent, used>>20, maxTime,
					maxMemory>>20)
			}
			t.Logf("compile %v, %d KiB; validate %v, %d KiB, %d violations %s", elapsed.Round(time.Microsecond),
				memory>>10,
				spent.Round(time.Microsecond), used>>10, len(violations), first(violations))
		})
	}
}

func first(violations []Violation) string {
	if len(violations) == 0 {
		return ""
	}
	return clip.Text(violations[0].Message, 100)
}

func refChain(n int) string {
	var defs []string
	for i := range n {
		defs = append(defs, fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1))
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/d0","$defs":{%s,"d%d":{}}}`, strings.Join(defs, ","), n)
}

// unknownPlaces makes the compiler discover each level of a wide tree by itself.
func unknownPlaces(levels int) string {
	refs := make([]string, levels)
	for i := range refs {
		refs[i] = `{"$ref":"#` + strings.Repeat("/x", i+1) + `"}`
	}
	return `{"allOf":[` + strings.Join(refs, ",") + `],"x":` +
		nest(levels, `{"title":"`+strings.Repeat("t", 10_000)+`","x":`, "{}", "}") + `}`
}

func TestHostileSchemasAreSampledCheaply(t *testing.T) {
	wide := `{"type":"object","required":["a","b"],"properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},` +
		joined(1000, `"p%d":{"type":"string"}`) + `}}`
	for _, test := range []struct{ name, schema string }{
		{"endless nesting", wide},
		{"a wide tree without end", `{"type":"object","properties":{` + joined(100, `"p%d":{"$ref":"#"}`) + `}}`},
		{"many items", `{"type":"array","minItems":1000000000}`},
		{"long text", `{"type":"string","minLength":1000000000}`},
		{"a pattern that repeats", `{"type":"string","pattern":"^((((a{30}){30})))$","minLength":5}`},
		{"allOf of the same", `{"type":"object","allOf":[` + joined(499, `{"properties":{"p":{"minLength":%d}}}`) +
			`]}`},
		{"nested minItems", nest(8, `{"type":"array","minItems":50,"items":`, "{}", "}")},
		{"distinct items", `{"type":"array","minItems":1000,"uniqueItems":true,"items":{"type":"boolean"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var err error
			elapsed, _ := cost(func() {
				_, err = Sample(json.RawMessage(test.schema), &SampleOptions{AllProperties: true})
			})
			if elapsed > 4*maxTime {
				t.Errorf("Sample took %v, want at most %v", elapsed, 4*maxTime)
			}
			t.Logf("%v: %v", elapsed.Round(time.Microsecond), err)
		})
	}
}
