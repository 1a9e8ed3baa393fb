package rawjson

import "testing"

func TestNesting(t *testing.T) {
	for _, c := range []struct {
		text          string
		open, deepest int
	}{
		{``, 0, 0},
		{`7`, 0, 0},
		{`{"a":[1,{}]}`, 0, 3},
		{`{"a": [`, 2, 2},
		{`]}`, -2, 0},
		{`["{[", "\"[", "\\", [`, 2, 2},
		{`"[ without an end`, 0, 0},
		{`"ends in \`, 0, 0},
	} {
		if open, deepest := Nesting([]byte(c.text)); open != c.open || deepest != c.deepest {
			t.Errorf("Nesting(%s) = %d, %d, want %d, %d", c.text, open, deepest, c.open, c.deepest)
		}
	}
}

func TestDeeperThan(t *testing.T) {
	for _, c := range []struct {
		text   string
		limit  int
		at     int
		deeper bool
	}{
		{`[[]]`, 2, 4, false},
		{`[["["]]`, 2, 7, false},
		{`[ [[]]]`, 2, 3, true},
		{`[]`, 0, 0, true},
	} {
		if at, deeper := DeeperThan([]byte(c.text), c.limit); at != c.at || deeper != c.deeper {
			t.Errorf("DeeperThan(%s, %d) = %d, %v, want %d, %v", c.text, c.limit, at, deeper, c.at, c.deeper)
		}
	}
}

func TestKindName(t *testing.T) {
	for text, want := range map[string]string{
		` {}`: "an object", "\n[1]": "an array", `""`: "a string", `-1`: "a number", `9`: "a number",
		`true`:  "a boolean",
		`false`: "a boolean", `null`: "null", ``: "nothing", `x`: "nothing",
	} {
		if got := KindName([]byte(text)); got != want {
			t.Errorf("KindName(%q) = %q, want %q", text, got, want)
		}
	}
}
