package change

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/cputime"
)

func tool(name, inputSchema string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"name":%q,"inputSchema":%s}`, name, inputSchema))
}

// Hostile schemas end in time with unknown.
func TestHostilePairs(t *testing.T) {
	branches := func(count, from int) string {
		parts := make([]string, count)
		for i := range parts {
			parts[i] = fmt.Sprintf(`{"type":"object","properties":{"k":{"const":%d},"v":{"type":"string",`+
				`"maxLength":%d}},"required":["k"]}`, i, i+from)
		}
		return `{"type":"object","anyOf":[` + strings.Join(parts, ",") + `]}`
	}
	exponential := func(depth int, leaf string) string {
		defs := fmt.Sprintf(`"d0":%s`, leaf)
		for i := 1; i <= depth; i++ {
			defs += fmt.Sprintf(`,"d%d":{"allOf":[{"anyOf":[{"$ref":"#/$defs/d%d"},{"required":["a%d"]}]},`+
				`{"anyOf":[{"$ref":"#/$defs/d%d"},{"required":["b%d"]}]}]}`, i, i-1, i, i-1, i)
		}
		return fmt.Sprintf(`{"type":"object","$ref":"#/$defs/d%d","$defs":{%s}}`, depth, defs)
	}
	recursive := func(name string) string {
		return fmt.Sprintf(`{"type":"object","properties":{"x":{"$ref":"#/$defs/n"}},"required":["x"],`+
			`"$defs":{"n":{"anyOf":[{"type":"object","properties":{%q:{"$ref":"#/$defs/n"},"r":{"$ref":"#/$defs/n"}},`+
			`"required":[%[1]q,"r"]},{"allOf":[{"$ref":"#/$defs/m"},{"not":{"$ref":"#/$defs/n"}}]}]},`+
			`"m":{"oneOf":[{"$ref":"#/$defs/n"},{"type":"array","items":{"$ref":"#/$defs/m"}}]}}}`, name)
	}
	deep := func(leaf string) string {
		return strings.Repeat(`{"type":"object","properties":{"a":`, 200) + leaf + strings.Repeat(`}}`, 200)
	}
	nested := func(bound int) string {
		text := fmt.Sprintf(`{"type":"string","maxLength":%d}`, bound)
		for range 12 {
			text = fmt.Sprintf(`{"anyOf":[{"type":"array","items":%s},{"type":"object","properties":{"a":%[1]s},`+
				`"not":%[1]s}]}`, text)
			if len(text) > 400_000 {
				break
			}
		}
		return `{"type":"object","properties":{"p":` + text + `}}`
	}
	for name, pair := range map[string][2]string{
		"10,000 branches":   {branches(10_000, 5), branches(10_000, 4)},
		"1,000 branches":    {branches(1_000, 5), branches(1_000, 4)},
		"exponential allOf": {exponential(40, `{"required":["x"]}`), exponential(40, `{"required":["y"]}`)},
		"recursion":         {recursive("l"), recursive("k")},
		"depth":             {deep(`{"type":"string"}`), deep(`{"type":"integer"}`)},
		"nested union":      {nested(5), nested(4)},
		"catastrophic regex": {`{"type":"object","properties":{"a":{"type":"string","pattern":"^(a+)+$"}}}`,
			`{"type":"object","properties":{"a":{"type":"string","pattern":"^(?=(a+)+$)b"}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			used := cputime.Used()
			d := compareTools([]json.RawMessage{tool("t", pair[0])}, []json.RawMessage{tool("t", pair[1])})
			spent := cputime.Used() - used
			t.Logf("%s after %v (%v of processor time)", d.Verdict, time.Since(start), spent)
			if spent > 250*time.Millisecond*slowdown {
				t.Errorf("took %v of processor time, want at most 250 ms", spent)
			}
			if d.Verdict != Unknown && d.Verdict != Breaking {
				t.Errorf("verdict %q, want unknown, or breaking with a proof", d.Verdict)
			}
		})
	}
}

// 500 tools that all differ are compared in less than a second.
func TestFiveHundredTools(t *testing.T) {
	var before, after []json.RawMessage
	for i := range 500 {
		text := `{"type":"object","properties":{"query":{"type":"string","description":"d%d","maxLength":%d},` +
			`"limit":{"type":"integer","minimum":1,"maximum":100},"mode":{"type":"string","enum":["a","b","c"]},` +
			`"filter":{"type":"object","properties":{"from":{"type":"string"},"to":{"anyOf":[{"type":"string"},` +
			`{"type":"null"}]}}}},"required":["query"]}`
		before = append(before, tool(fmt.Sprintf("tool%d", i), fmt.Sprintf(text, i, 400)))
		after = append(after, tool(fmt.Sprintf("tool%d", i), fmt.Sprintf(text, i+i%2, 400-i%3)))
	}
	var spent time.Duration
	for range 5 { // a busy machine makes processor time longer, never shorter
		used := cputime.Used()
		d := compareTools(before, after)
		spent = cputime.Used() - used
		t.Logf("%v of processor time, %v", spent, d.Counts)
		if spent <= time.Second*slowdown {
			return
		}
	}
	t.Errorf("took %v of processor time, want at most 1 s", spent)
}
