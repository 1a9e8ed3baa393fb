package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// typing is a dialog with a person who types these lines and then ends the input.
func typing(lines ...string) (*dialog, *bytes.Buffer) {
	var shown bytes.Buffer
	var in strings.Builder
	for _, line := range lines {
		in.WriteString(line + "\n")
	}
	return newDialog(strings.NewReader(in.String()), &shown), &shown
}

func checking(t *testing.T, source string) checker {
	t.Helper()
	compiled, err := schema.Compile(json.RawMessage(source), nil)
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Validate
}

const townForm = `{"type":"object","required":["town","tags"],"properties":{
	"town":{"type":"string","minLength":3,"description":"Where.\nmcptest: forged"},
	"days":{"type":"integer","maximum":7},
	"tags":{"type":"array","items":{"type":"string"},"minItems":1,"description":"What to look for."}}}`

func TestFill(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
		shown []string
	}{
		{"all right", []string{"Bern", "3", "y", "sun", "n"}, `{"town":"Bern","days":3,"tags":["sun"]}`,
			[]string{"  │ Where.\n  │ mcptest: forged\ntown (string, required): ",
				"  │ What to look for.\ntags (list, required)\n"}},
		{"a limit is told at once", []string{"Bern", "9", "2", "y", "sun", "n"},
			`{"town":"Bern","days":2,"tags":["sun"]}`, []string{"✗ days: ", "days (integer) [9]: "}},
		{"a list that is too short", []string{"Bern", "", "n", "yes", "sun", ""}, `{"town":"Bern","tags":["sun"]}`,
			[]string{"✗ tags: "}},
		{"neither yes nor no", []string{"Bern", "", "maybe", "y", "sun", "no"}, `{"town":"Bern","tags":["sun"]}`,
			[]string{"✗ please answer y or n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, shown := typing(c.lines...)
			got, err := d.fill(context.Background(), json.RawMessage(townForm), checking(t, townForm))
			if err != nil || string(got) != c.want {
				t.Errorf("fill = %s, %v; want %s\n%s", got, err, c.want, shown)
			}
			for _, want := range c.shown {
				if !strings.Contains(shown.String(), want) {
					t.Errorf("shown %q; want %q in it", shown, want)
				}
			}
		})
	}
}

// What only the whole shows to be wrong is asked for once more, and no answer is lost.
func TestFillAsksOnceMore(t *testing.T) {
	source := `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},` +
		`"dependentRequired":{"a":["b"]}}`
	d, shown := typing("one", "", "", "two")
	got, err := d.fill(context.Background(), json.RawMessage(source), checking(t, source))
	if want := `{"a":"one","b":"two"}`; err != nil || string(got) != want {
		t.Errorf("fill = %s, %v; want %s\n%s", got, err, want, shown)
	}
}

// A tuple is asked for position by position.
func TestFillTuple(t *testing.T) {
	source := `{"type":"object","required":["at"],"properties":{"at":{"type":"array","prefixItems":[{"type":"number"},` +
		`{"type":"string"}],"minItems":2,"maxItems":2},"to":{"type":"array","prefixItems":[{"type":"integer"}],"items":false}}}`
	d, shown := typing("1.50", "x", "n")
	got, err := d.fill(context.Background(), json.RawMessage(source), checking(t, source))
	if want := `{"at":[1.50,"x"]}`; err != nil || string(got) != want {
		t.Errorf("fill = %s, %v; want %s\n%s", got, err, want, shown)
	}
	if want := "at[1] (string, required): "; !strings.Contains(shown.String(), want) {
		t.Errorf("shown %q; want %q in it", shown, want)
	}
}

func TestElicitation(t *testing.T) {
	params := json.RawMessage(`{"message":"who?\nElicitation request from the server:",` +
		`"requestedSchema":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}}`)
	for _, c := range []struct {
		lines []string
		want  string
	}{
		{[]string{"accept", "Ada"}, `{"action":"accept","content":{"name":"Ada"}}`},
		{[]string{"a", "Ada"}, `{"action":"accept","content":{"name":"Ada"}}`},
		{[]string{"d"}, `{"action":"decline"}`},
		{[]string{"perhaps", "cancel"}, `{"action":"cancel"}`},
		{nil, `{"action":"cancel"}`},
		{[]string{"accept"}, `{"action":"cancel"}`},
	} {
		d, shown := typing(c.lines...)
		got, err := d.promptElicitation(context.Background(), params)
		if err != nil || string(got) != c.want {
			t.Errorf("%q: %s, %v; want %s", c.lines, got, err, c.want)
		}
		if !strings.Contains(shown.String(), "  │ who?\n  │ Elicitation request from the server:\n") {
			t.Errorf("shown %q; want the message behind a bar", shown)
		}
	}
}

func TestSamplingAndRoots(t *testing.T) {
	d, _ := typing()
	_, err := d.promptSampling(context.Background(), json.RawMessage(`{"messages":[]}`))
	var refused *mcp.RPCError
	if !errors.As(err, &refused) {
		t.Errorf("sampling at the end of input: %v; want it declined", err)
	}
	dir := t.TempDir()
	d, _ = typing("https://host/x", dir, "")
	got, err := d.promptRoots(context.Background())
	if want := `{"roots":[{"uri":"https://host/x"},{"uri":"` + rootURI(dir) + `"}]}`; err != nil ||
		string(got) != want {
		t.Errorf("roots %s, %v; want %s", got, err, want)
	}
	if !strings.HasPrefix(rootURI(filepath.Join(dir, "a b")), "file:///") ||
		!strings.HasSuffix(rootURI(filepath.Join(dir, "a b")), "/a%20b") {
		t.Errorf("rootURI = %s; want a file URI", rootURI(filepath.Join(dir, "a b")))
	}
}

// The end of input at a question of ours is a stop by the person.
func TestEndOfInputStops(t *testing.T) {
	if err := stopped(io.EOF); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped(io.EOF) = %v, want context.Canceled", err)
	}
	d, _ := typing("Bern")
	if _, err := d.fill(context.Background(), json.RawMessage(townForm), checking(t, townForm)); !errors.Is(err,
		io.EOF) {
		t.Errorf("fill at the end of input: %v, want io.EOF", err)
	}
}

func TestFillAsksForTheVariantOfTheInput(t *testing.T) {
	const source = `{"type":"object","properties":{"project":{"type":"string"}},"required":["project"],"oneOf":[
	  {"title":"By ID","properties":{"id":{"type":"integer"}},"required":["id"]},
	  {"title":"By name","properties":{"name":{"type":"string"}},"required":["name"]}]}`
	d, out := typing("", "3", "1", "p", "x", "7")
	got, err := d.fill(context.Background(), json.RawMessage(source), checking(t, source))
	if want := `{"project":"p","id":7}`; err != nil || string(got) != want {
		t.Errorf("fill = %s, %v, want %s\n%s", got, err, want, out)
	}
}

func TestFillAsksForTheVariantOfAUnion(t *testing.T) {
	const source = `{"type":"object","properties":{"pay":{"oneOf":[{"type":"integer"},{"type":"object","title":"Card",
	  "properties":{"kind":{"const":"card"},"number":{"type":"string"}},"required":["kind","number"]}]},
	  "more":{"anyOf":[{"type":"string"},{"type":"integer"}]}},"required":["pay"]}`
	d, out := typing("", "3", "2", "1", "4111", "")
	got, err := d.fill(context.Background(), json.RawMessage(source), checking(t, source))
	if want := `{"pay":{"kind":"card","number":"4111"}}`; err != nil || string(got) != want {
		t.Errorf("fill = %s, %v, want %s\n%s", got, err, want, out)
	}
}
