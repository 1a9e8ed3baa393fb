package arguments

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

const tripSchema = `{"type":"object","properties":{"n":{"type":"integer"},"x":{"type":"number"},"s":{"type":"string"},"b":{"type":"boolean"},
  "z":{"type":"null"},"e":{"enum":["1",1,{"k":[]}]},"m":{"type":["string","null"]},"l":{"type":"array","items":{"type":["integer","null"]}},
  "o":{"type":"object","properties":{"p":{"type":"string"}}},"r":{"type":"array","items":{"type":"object","properties":{"p":{"type":"string"}}}},
  "free":{"type":"object"},"any":{"type":"array"}}}`

func TestTripsKeepEveryByteOfEveryValue(t *testing.T) {
	form := Model(json.RawMessage(tripSchema))
	for _, test := range []struct {
		name, args string
		notices    int
	}{
		{"everything in the form", `{"s":"a","n":9007199254740993,"x":1.0E5,"b":false,"z":null,"m":null,"l":[1,null],` +
			`"o":{"p":"q"},"r":[{"p":"1"},{}],"free":{"k":[1]},"any":[1,"a",null]}`, 0},
		{"order", `{"b":true,"s":"x","n":1}`, 0},
		{"spelling of strings", `{"s":"\u0041\/<&>","m":"\ud83d\ude00"}`, 0},
		{"spelling of integers", `{"n":42.0,"l":[1e2]}`, 0},
		{"unknown properties", `{"later":{"b":1.0,"a":2},"s":"x","first":[]}`, 2},
		{"unknown properties inside", `{"o":{"p":"q","more":1},"r":[{"other":2}]}`, 2},
		{"wrong types", `{"n":1.5,"s":5,"b":"true","z":0,"l":{},"o":[],"r":[1],"x":"1"}`, 8},
		{"null where none is allowed", `{"n":null,"l":null}`, 2},
		{"ambiguous enum", `{"e":1}`, 0},
		{"enum in the form", `{"e":"1"}`, 0},
		{"duplicates", `{"s":"a","s":"b"}`, 1},
		{"lone surrogate", `{"s":"\ud800"}`, 0},
		{"invalid UTF-8", "{\"s\":\"\xff\"}", 1},
		{"nothing", `{}`, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			values, notices, err := form.Parse(json.RawMessage(test.args))
			if err != nil || len(notices) != test.notices {
				t.Fatalf("Parse: %v with notices %v, want %d", err, notices, test.notices)
			}
			if utf8.ValidString(test.args) { // a page can hold nothing else
				values = overTheWire(t, values)
			}
			got, errs := form.Encode(values)
			if len(errs) > 0 || string(got) != test.args {
				t.Errorf("JSON to form to JSON = %s, %v, want %s", got, errs, test.args)
			}
		})
	}
}

// overTheWire sends values to a page and back.
func overTheWire(t *testing.T, values Value) Value {
	t.Helper()
	sent, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	var back Value
	if err := json.Unmarshal(sent, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

func TestEditsAfterParsingWin(t *testing.T) {
	form := Model(json.RawMessage(tripSchema))
	values, _, _ := form.Parse(json.RawMessage(`{"n":1.0,"s":"\u0041","m":"x"}`))
	values.Items[0].Text = "2"
	values.Items[1].Text = "B"
	values.Items[2].State = Null
	if got, errs := form.Encode(values); string(got) != `{"n":2,"s":"B","m":null}` {
		t.Errorf("Encode = %s, %v", got, errs)
	}
}

func TestParseRefusesWhatIsNoObject(t *testing.T) {
	for _, text := range []string{``, `{`, `[]`, `null`, `{"a":1}x`, `{"a":01}`, `{a:1}`} {
		if values, _, err := Model(json.RawMessage(tripSchema)).Parse(json.RawMessage(text)); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", text, values)
		}
	}
}

func TestEncodeReportsEveryError(t *testing.T) {
	form := Model(json.RawMessage(tripSchema))
	raw, errs := form.Encode(Value{Items: []Value{
		text("n", "1.5"), text("b", "yes"), {Name: "l", State: Set, Items: []Value{text("", "1"), text("", "x")}},
		{Name: "r", State: Set, Items: []Value{{State: Set, Items: []Value{{Name: "p", State: Null}}}}},
		text("unknown", "x"), {Name: "kept", State: Raw, JSON: "{"},
	}})
	var got []string
	for _, err := range errs {
		got = append(got, err.Field+" "+err.Want)
	}
	want := []string{"n integer", "b boolean", "l[1] integer", "r[0].p string", "unknown a declared property",
		"kept JSON"}
	if raw != nil || len(got) != len(want) {
		t.Fatalf("Encode = %s, %v, want nil and %v", raw, got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("error %d = %s, want %s", i, got[i], want[i])
		}
	}
}
