package cases

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// TestSameSeedSameCases wants the same cases in the same order from the same seed, and others from another.
func TestSameSeedSameCases(t *testing.T) {
	input := json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"},"note":{"type":"string"}},` +
		`"required":["name"],"additionalProperties":false}`)
	make := func(seed uint64) (all []string) {
		g, err := NewGenerator("work", input, seed, Care{})
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			all = append(all, string(g.Next().Arguments))
		}
		return all
	}
	first, again, other := strings.Join(make(7), "\n"), strings.Join(make(7), "\n"), strings.Join(make(8), "\n")
	if first != again {
		t.Error("the same seed makes other cases")
	}
	if first == other {
		t.Error("another seed makes the same cases")
	}
}

// near matches what near-misses say.
var near = regexp.MustCompile(`too many|too few|not allowed|none of them|is missing|unknown member|^type: |does not ` +
	`match|between two|the same item twice`)

// TestCasesAreWhatTheySay wants near-misses to be forbidden and samples to be allowed by the schema.
func TestCasesAreWhatTheySay(t *testing.T) {
	input := json.RawMessage(`{"type":"object","properties":{"s":{"type":"string","minLength":2,"maxLength":5},"n":{"type":"number","minimum":1,"exclusiveMaximum":9,"multipleOf":0.5},
		"e":{"enum":["a","b"],"type":"string"},"l":{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":3,"uniqueItems":true},"b":{"type":"boolean"},
		"o":{"type":"object","properties":{"x":{"type":"string","pattern":"^[a-z]+$"}},"required":["x"],"additionalProperties":false},
		"d":{"type":"string","format":"date"},"r":{"$ref":"#/$defs/r"},"u":{"anyOf":[{"type":"string","maxLength":3},{"type":"null"}]}},
		"required":["s","n","e","l","b","o","r"],"additionalProperties":false,"$defs":{"r":{"type":"integer","minimum":5,"maximum":5}}}`)
	g, err := NewGenerator("work", input, 3, Care{})
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]bool{}
	for range len(g.schedule()) {
		c := g.Next()
		g.Validate(&c)
		switch {
		case !json.Valid(c.Arguments):
			t.Errorf("%s: no JSON: %s", c.Description, c.Arguments)
		case c.Kind == Valid && !c.Allowed:
			t.Errorf("%s: a valid case is forbidden: %s (%s)", c.Description, c.Arguments, c.Violates)
		case strings.HasSuffix(c.Description, " at u"): // null is allowed there
		case !c.Unclear && strings.HasPrefix(c.Description, "format"), c.Unclear && !strings.HasSuffix(c.Description, " at d"):
			t.Errorf("%s: unclear %v: %s (%s)", c.Description, c.Unclear, c.Arguments, c.Violates)
		case c.Allowed && near.MatchString(c.Description):
			t.Errorf("%s: a near-miss is allowed: %s", c.Description, c.Arguments)
		case c.Kind == NearMiss && !c.Allowed:
			rule, _, _ := strings.Cut(c.Description, ":")
			rules[rule] = true
		}
	}
	for _, rule := range []string{"minLength", "maxLength", "minimum", "maximum", "exclusiveMaximum", "multipleOf",
		"enum", "minItems", "maxItems", "uniqueItems", "required", "additionalProperties", "pattern", "type"} {
		if !rules[rule] {
			t.Errorf("no case violates %s", rule)
		}
	}
}

// TestGentle wants no text that looks like an attack in the cases for a server that others use.
func TestGentle(t *testing.T) {
	for _, gentle := range []bool{false, true} {
		g, err := NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},`+
			`"required":["path"]}`), 1, Care{Gentle: gentle})
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for range 2000 {
			all.Write(g.Next().Arguments)
		}
		if attacks := strings.Contains(all.String(), "etc/passwd") ||
			strings.Contains(all.String(), "$(echo"); attacks == gentle {
			t.Errorf("gentle %v: cases that look like an attack: %v", gentle, attacks)
		}
	}
}

// TestEveryRow wants no text that matches every row of a table in the cases for a tool that may change data.
func TestEveryRow(t *testing.T) {
	for _, writes := range []bool{false, true} {
		g, err := NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},`+
			`"required":["name"]}`), 1, Care{Writes: writes})
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for range 2000 {
			all.Write(g.Next().Arguments)
		}
		if got := strings.Contains(all.String(), " OR "); got == writes {
			t.Errorf("writes %v: conditions that match every row: %v", writes, got)
		}
	}
}

// TestProofs wants the value of no case in the text itself: not as digits, as the sum of its numbers, or as what is left of it
// without letters.
func TestProofs(t *testing.T) {
	g, err := NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}`), 1,
		Care{})
	if err != nil {
		t.Fatal(err)
	}
	numbers, sent := regexp.MustCompile(`-?\d+`), map[string]bool{}
	for range 500 {
		text := schema.TextAt(g.Next().Arguments, "/x")
		language := Proof(text)
		if sent[language] = true; language == "" {
			continue
		}
		all := numbers.FindAllString(text, -1)
		total := 0
		for _, one := range all {
			n, _ := strconv.Atoi(one)
			total += n
		}
		if joined := strings.Join(all, ""); strconv.Itoa(total) == Proven || strings.Contains(joined, Proven) {
			t.Errorf("%s has its value without code", text)
		}
	}
	for _, p := range proofs {
		if !sent[p.language] {
			t.Errorf("no %s was sent", p.language)
		}
	}
}

// TestFileURL expects the URL of a file among the first cases of a tool with few calls, unless attacks are not allowed.
func TestFileURL(t *testing.T) {
	t.Parallel()
	const page = `{"type":"object","properties":{"page_url":{"type":"string"}},"required":["page_url"]}`
	const name = `{"type":"object","properties":{"curl":{"type":"string","enum":["a","b"]},"name":{"type":"string"}}}`
	for _, c := range []struct {
		input string
		care  Care
		want  bool
	}{{page, Care{}, true}, {page, Care{Gentle: true}, false}, {page, Care{Writes: true}, false}, {name, Care{}, false}} {
		g, err := NewGenerator("open", json.RawMessage(c.input), 1, c.care)
		if err != nil {
			t.Fatal(err)
		}
		g.ExpectFewCalls()
		got := false
		for range 3 {
			got = got || strings.Contains(string(g.Next().Arguments), "file:///etc/passwd")
		}
		if got != c.want {
			t.Errorf("%s, %+v: the URL of a file %v, expected %v", c.input, c.care, got, c.want)
		}
	}
}
