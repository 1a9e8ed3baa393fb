package document

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A fleet has a field of every kind that a file can have.
type fleet struct {
	Position `yaml:"-"`
	common

	Name   string            `yaml:"name" required:"yes" doc:"what it is called"`
	Mood   string            `yaml:"mood" enum:"calm|wild" doc:"how it is"`
	Size   int               `yaml:"size"`
	Weight float64           `yaml:"weight"`
	Ready  bool              `yaml:"ready"`
	After  time.Duration     `yaml:"after"`
	Tags   []string          `yaml:"tags"`
	Labels map[string]string `yaml:"labels"`
	Ships  []ship            `yaml:"ships,boats"`
	Flag   *ship             `yaml:"flag"`
	Raw    json.RawMessage   `yaml:"raw"`
	Node   *Node             `yaml:"node"`
	Speed  knots             `yaml:"speed"`
	NoKey  string
}

type common struct {
	Note string `yaml:"note" doc:"for people"`
}

type ship struct {
	Position `yaml:"-"`

	Name string `yaml:"name" required:"yes" doc:"what is painted on it"`
}

// knots read themselves: 5 or "5kn".
type knots int

func (k *knots) ReadNode(n *Node, d *Decoder) {
	d.Decode(&Node{Kind: Number, Text: strings.TrimSuffix(n.Text, "kn"), Line: n.Line, Column: n.Column}, (*int)(k))
}

func (k *knots) JSONSchema() json.RawMessage { return json.RawMessage(`{"type":["integer","string"]}`) }

func decode(t *testing.T, text string, out any) Problems {
	t.Helper()
	d := &Decoder{File: "f.yaml"}
	d.Decode(parse(t, text), out)
	return d.Problems
}

// A file fills every kind of field, with the places where structs stand.
func TestDecode(t *testing.T) {
	var got fleet
	problems := decode(t, `
name: north
mood: wild
note: seen
size: 3
weight: 1.5
ready: true
after: 1m30s
tags: one
labels: {a: x, b: 5}
boats:
  - name: Ada
  - {name: 7}
flag: {name: Ida}
raw: {b: 9007199254740993, a: 1.0}
node: [1]
speed: 12kn
`, &got)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if got.Node == nil || string(got.Node.JSON()) != "[1]" {
		t.Errorf("the node is %v, want [1]", got.Node)
	}
	got.Node = nil
	want := fleet{Position: Position{"f.yaml", 2, 1}, common: common{"seen"}, Name: "north", Mood: "wild", Size: 3,
		Weight: 1.5, Ready: true, After: 90 * time.Second,
		Tags: []string{"one"}, Labels: map[string]string{"a": "x", "b": "5"},
		Ships: []ship{{Position{"f.yaml", 12, 5}, "Ada"}, {Position{"f.yaml", 13, 6}, "7"}},
		Flag:  &ship{Position{"f.yaml", 14, 8}, "Ida"}, Raw: json.RawMessage(`{"b":9007199254740993,"a":1.0}`),
		Speed: 12}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(fleet{}, common{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// All that is wrong with a file is told at once, each where it stands, with what was wanted.
func TestDecodeProblems(t *testing.T) {
	var got fleet
	problems := decode(t, `mood: mild
size: three
weight: heavy
ready: 1
after: 90
tags: {a: 1}
labels: [a]
ships: {}
flag: nobody
nmae: typo
colour_of_the_sails: red
speed: fast
`, &got)
	problems.Sort()
	want := []string{
		`f.yaml:1:1: name is missing (what it is called)`,
		`f.yaml:1:7: "mild", expected calm or wild`,
		`f.yaml:2:7: a string (three), expected an integer`,
		`f.yaml:3:9: a string (heavy), expected a number`,
		`f.yaml:4:8: a number (1), expected true or false`,
		`f.yaml:5:8: a number (90), expected a duration with its unit, such as 500ms, 30s or 2m`,
		`f.yaml:6:8: a mapping, expected a string`,
		`f.yaml:7:9: a list, expected a mapping of names to values`,
		`f.yaml:8:8: name is missing (what is painted on it)`,
		`f.yaml:9:7: a string (nobody), expected a mapping with name`,
		`f.yaml:10:1: unknown key "nmae"; did you mean name?`,
		`f.yaml:11:1: unknown key "colour_of_the_sails"; valid keys: note, name, mood, size, weight, ready, after, ` +
			`tags, labels, ships, boats, flag, raw, node, speed`,
		`f.yaml:12:8: fast, expected an integer`,
	}
	if diff := cmp.Diff(strings.Join(want, "\n"), problems.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if problems.Err() == nil || Problems(nil).Err() != nil {
		t.Error("Err is nil for problems, or not nil for none")
	}
}

// Nothing in the place of a list, a mapping or a pointer leaves it empty.
func TestDecodeNothing(t *testing.T) {
	var got fleet
	if problems := decode(t, "name: n\ntags:\nlabels: ~\nflag: null\nships:", &got); len(problems) > 0 ||
		got.Tags != nil || got.Labels != nil || got.Flag != nil || got.Ships != nil {
		t.Errorf("%v, %+v; want empty fields", problems, got)
	}
	if problems := decode(t, "size: 99999999999999999999", &got); !strings.Contains(problems.Error(),
		"1:7: 99999999999999999999, expected an integer") {
		t.Errorf("%v; want the number refused", problems)
	}
}

// Problems are sorted by place within a file, and files stay in the order in which they were met.
func TestSort(t *testing.T) {
	ps := Problems{{File: "b", Line: 2, Column: 9}, {File: "a", Line: 1, Column: 1}, {File: "b", Line: 2, Column: 3},
		{File: "b", Line: 10, Column: 1}}
	ps.Sort()
	if got := ps.Error(); got != "b:2:3: \nb:2:9: \nb:10:1: \na:1:1: " {
		t.Errorf("sorted:\n%s", got)
	}
}
