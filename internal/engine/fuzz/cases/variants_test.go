package cases

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The variants of a tool are those that a person would write down, each once, and the schema decides which are allowed.
func TestVariants(t *testing.T) {
	input := `{"type":"object","properties":{"city":{"type":"string","minLength":2,"maxLength":5},` +
		`"days":{"type":"integer","minimum":1,"maximum":7},"unit":{"enum":["c","f"]}},"required":["city"],` +
		`"additionalProperties":false}`
	all, err := Variants(json.RawMessage(input), json.RawMessage(`{"city":"Rome","days":3,"unit":"c"}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range all {
		kind := map[bool]string{true: "+ ", false: "- "}[v.Allowed]
		got = append(got, kind+v.Description+" "+string(v.Arguments))
	}
	want := []string{
		`+ without days {"city":"Rome","unit":"c"}`,
		`+ without unit {"city":"Rome","days":3}`,
		`+ only required arguments {"city":"Rome"}`,
		`- required: city is missing {"days":3,"unit":"c"}`,
		`- additionalProperties: an unknown property {"city":"Rome","days":3,"unit":"c","unexpected_member":"x"}`,
		`+ maxLength: exactly the maximum length at city {"city":"aaaaa","days":3,"unit":"c"}`,
		`+ maxLength: exactly the maximum length, in letters beyond ASCII at city {"city":"ééééé","days":3,"unit":"c"}`,
		`- maxLength: one character too many at city {"city":"aaaaaa","days":3,"unit":"c"}`,
		`+ minLength: exactly the minimum length at city {"city":"aa","days":3,"unit":"c"}`,
		`- minLength: one character too few at city {"city":"a","days":3,"unit":"c"}`,
		`- type: not a string at city {"city":{},"days":3,"unit":"c"}`,
		`+ minimum: the last allowed value at days {"city":"Rome","days":1,"unit":"c"}`,
		`- minimum: the first value not allowed at days {"city":"Rome","days":0,"unit":"c"}`,
		`+ maximum: the last allowed value at days {"city":"Rome","days":7,"unit":"c"}`,
		`- maximum: the first value not allowed at days {"city":"Rome","days":8,"unit":"c"}`,
		`- type: a fraction instead of an integer at days {"city":"Rome","days":1.5,"unit":"c"}`,
		`+ enum: f at unit {"city":"Rome","days":3,"unit":"f"}`,
		`- enum: a value not in the list at unit {"city":"Rome","days":3,"unit":"cx"}`,
	}
	plain, err := Variants(json.RawMessage(`{"type":"object","properties":{"n":{"type":"number"},"on":{"type":"boolean"}}}`),
		json.RawMessage(`{"n":5,"on":true}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range plain {
		got = append(got, v.Description)
	}
	want = append(want, "without n", "without on", "only required arguments", "a large number at n: 2147483648",
		"a small number at n: 0", "a small number at n: -1", "type: not a number at n", "the opposite boolean at on",
		"type: not a boolean at on")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("variants (-want +got):\n%s", diff)
	}
}
