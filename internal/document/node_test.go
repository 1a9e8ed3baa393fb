package document

import (
	"fmt"
	"strings"
	"testing"
)

// parse reads a text that must be right.
func parse(t *testing.T, text string) *Node {
	t.Helper()
	n, problems := Parse("f.yaml", []byte(text))
	if len(problems) > 0 {
		t.Fatalf("Parse(%q): %v", text, problems)
	}
	return n
}

// What JSON is made of a file: numbers as they were written, texts that look like something else as texts.
func TestJSONOfYAML(t *testing.T) {
	for text, want := range map[string]string{
		`{b: 9007199254740993, a: 1.0, e: 1e5, f: -1.5E-3, g: 1.0e999, h: "1e5", i: 1e, j: -}`: `{"b":9007199254740993,"a":1.0,"e":1e5,"f":-1.5E-3,"g":1.0e999,"h":"1e5","i":"1e","j":"-"}`,
		"a: 0x1F\nb: 0o17\nc: +1\nd: .5\ne: 1_000": `{"a":31,"b":15,` +
			`"c":1,"d":0.5,"e":1000}`,
		"a: \"1\"\nb: 'true'\nc: null\nd: ~\ne:": `{"a":"1","b":"true",` +
			`"c":null,"d":null,"e":null}`,
		"a: <b>&\"\\ \t\nb: \"\\u2028\"":                "{\"a\":\"<b>&\\\"\\\\\",\"b\":\"\u2028\"}",
		"text: |\n  one\n  two\nfold: >-\n  one\n  two": `{"text":"one\ntwo\n","fold":"one two"}`,
		"- [1, {a: [] }]\n- {}":                         `[[1,{"a":[]}],{}]`,
		"a: &x {k: 1, l: 2}\nb: *x\nc: {<<: *x, l: 3}": `{"a":{"k":1,"l":2},` +
			`"b":{"k":1,"l":2},"c":{"k":1,"l":3}}`,
		"x: &x {k: 1}\ny: &y {k: 2, m: 3}\nc: {m: 4, <<: [*x, *y]}": `{"x":{"k":1},` +
			`"y":{"k":2,"m":3},"c":{"m":4,"k":1}}`,
		"1: a\ntrue: b":                       `{"1":"a","true":"b"}`,
		"":                                    `null`,
		"# nothing but a remark":              `null`,
		`{"json": ["is", "YAML"], "n": -0.0}`: `{"json":["is","YAML"],"n":-0.0}`,
		"a: 2026-11-15\nb: 12:30":             `{"a":"2026-11-15","b":"12:30"}`,
	} {
		if got := string(parse(t, text).JSON()); got != want {
			t.Errorf("JSON of %q is\n%s, want\n%s", text, got, want)
		}
	}
}

// A node knows where it stands, in block and in flow style.
func TestPositions(t *testing.T) {
	n := parse(t, "# remark\nfirst: 1\nsecond:\n  - a\n  - {deep: here}\n")
	for _, c := range []struct {
		name string
		n    *Node
		want string
	}{
		{"the file", n, "2:1"}, {"first", n.Get("first"), "2:8"}, {"an item", n.Get("second").Items[0], "4:5"},
		{"deep", n.Get("second").Items[1].Get("deep"), "5:12"},
	} {
		if got := fmt.Sprintf("%d:%d", c.n.Line, c.n.Column); got != c.want {
			t.Errorf("%s stands at %s, want %s", c.name, got, c.want)
		}
	}
	if p := n.Pairs[1]; p.Key != "second" || p.Line != 3 || p.Column != 1 {
		t.Errorf("the second key is %q at %d:%d, want second at 3:1", p.Key, p.Line, p.Column)
	}
	if n.Get("third") != nil {
		t.Error("there is a third key")
	}
}

// What some editors put before a text, and the ends of lines of Windows, are no part of it.
func TestParseWindowsText(t *testing.T) {
	n, problems := Parse("f.yaml", []byte("\ufeffa: x\r\nb: [y]\r\n"))
	if problems != nil || n.Get("a").Text != "x" || n.Get("b").Items[0].Text != "y" {
		t.Errorf("Parse() = %+v, %v", n, problems)
	}
}

// What is no YAML, or more than a person writes, is told with its place.
func TestParseProblems(t *testing.T) {
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 9; i++ {
		laughs += fmt.Sprintf("a%d: &a%d [%s]\n", i, i,
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	for text, want := range map[string]string{
		"a: [1, 2":                      "f.yaml:1:",
		"a: 1\n b: 2":                   "f.yaml:1:4: not YAML",
		"a: 1\na: 2":                    "f.yaml:2:1: ",
		"a: *nobody":                    "f.yaml:1:4: undefined YAML alias *nobody; define the anchor &nobody before it",
		"a: .inf":                       "f.yaml:1:4: .inf is not a JSON number",
		"a: 1\n---\nb: 2":               "f.yaml:3:2: multiple YAML documents are not supported",
		"a: &x [*x]":                    "nests deeper than 100 levels",
		strings.Repeat("[", 150):        "f.yaml:1:",
		laughs:                          "more than 500000 values",
		strings.Repeat("#", maxBytes+1): "expected at most 8388608",
	} {
		_, problems := Parse("f.yaml", []byte(text))
		if len(problems) == 0 || !strings.Contains(problems.Error(), want) {
			t.Errorf("Parse(%.40q): %v, want %q", text, problems, want)
		}
		if len(problems) > 20 {
			t.Errorf("Parse(%.40q): %d problems, want a few", text, len(problems))
		}
	}
}
