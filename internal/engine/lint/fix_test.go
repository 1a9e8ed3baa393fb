package lint

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestFix runs each mode on the input of a golden. What a mode gives stands in a file of its name, what it says of it
// in MODE.notes.
func TestFix(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "fix", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { testFixGolden(t, path) })
	}
}

func testFixGolden(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	input := fileOf(archive, "input.json")
	for _, mode := range Modes() {
		got, notes := fixText(t, input, mode)
		if again, _ := fixText(t, got, mode); again != got {
			t.Errorf("%s: fixing twice changes something:\n%s", mode, cmp.Diff(got, again))
		}
		for name, text := range map[string]string{string(mode): got, string(mode) + ".notes": notes} {
			if *update {
				setFile(archive, name, text)
			}
			if diff := cmp.Diff(fileOf(archive, name), text); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
	if *update {
		sortFiles(archive)
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sortFiles puts the input first and the modes in their order.
func sortFiles(archive *txtar.Archive) {
	sorted := []txtar.File{{Name: "input.json", Data: []byte(fileOf(archive, "input.json"))}}
	for _, mode := range Modes() {
		for _, name := range []string{string(mode), string(mode) + ".notes"} {
			sorted = append(sorted, txtar.File{Name: name, Data: []byte(fileOf(archive, name))})
		}
	}
	archive.Files = sorted
}

func fixText(t *testing.T, input string, mode Mode) (fixed, notes string) {
	t.Helper()
	c, err := ReadCatalog([]byte(input), "input.json")
	if err != nil {
		t.Fatal(err)
	}
	out, list, err := Fix(c, mode)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, n := range list {
		fmt.Fprintf(&b, "%s %s: %s\n", n.Subject, n.Pointer, n.Message)
	}
	return string(out), strings.TrimSpace(b.String()) + "\n"
}

func TestFixRefusesUnknownMode(t *testing.T) {
	if _, _, err := Fix(NewCatalog("", nil), "looser"); err == nil || !strings.Contains(err.Error(), "looser") {
		t.Errorf("Fix with mode looser: %v, want an error that names it", err)
	}
}

// TestFixLeavesOddTools has a tool among others that no two readers read alike. It stays byte for byte, with a note.
func TestFixLeavesOddTools(t *testing.T) {
	const tool, fixed = `{"name":"a","inputSchema":{"type":"object"}}`,
		`{"name":"a","inputSchema":{"type":"object","additionalProperties":false}}`
	deep := `{"name":"odd","inputSchema":` + strings.Repeat(`{"not":`, 20_000) + `{}` + strings.Repeat(`}`, 20_000) +
		`}`
	for odd, reason := range map[string]string{
		`{"name":"odd","name":"odd","inputSchema":{"type":"object"}}`:                       `duplicate key "name"`,
		"{\"name\":\"odd\",\"description\":\"\xff\",\"inputSchema\":{\"type\":\"object\"}}": "UTF-8",
		`{"name":"odd","description":"\ud800","inputSchema":{"type":"object"}}`: "not fixed: the " +
			"definition is not valid JSON",
		deep:   "nesting exceeds 1000 levels",
		`null`: "is null",
	} {
		for _, shape := range []string{"[%s,\n %s, %s]", `{"result":{"x":1,"tools":[%s,%s,%s],"nextCursor":"n"}}`} {
			input := fmt.Sprintf(shape, tool, odd, tool)
			c, err := ReadLoose([]byte(input), "f")
			if err != nil {
				t.Errorf("ReadLoose(%.60s): %v", odd, err)
				continue
			}
			got, notes, err := Fix(c, Strict)
			if want := fmt.Sprintf(shape, fixed, odd, fixed); err != nil || string(got) != want {
				t.Errorf("Fix(%.60s) = %.200q, %v, want the others fixed", odd, got, err)
			}
			if len(notes) < 2 || !strings.Contains(notes[1].Message, reason) {
				t.Errorf("notes on %.60s: %v, want %q", odd, notes, reason)
			}
		}
	}
}

// TestReadLooseRefuses keeps the error for what is no list of tools.
func TestReadLooseRefuses(t *testing.T) {
	for _, input := range []string{"", "[nope]", `[{"name":`, `{"tools":[],"tools":[]}`, `{"a":1}`, `[{"a" 1}]`,
		`[] []`, `{"tools":[{"a":1,"a":2}],"x":nope}`} {
		if _, err := ReadLoose([]byte(input), "f"); err == nil || !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("ReadLoose(%q): %v, want an error with a position", input, err)
		}
	}
}

func TestFixNotes(t *testing.T) {
	for _, test := range []struct{ input, want string }{
		{`[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}]`,
			"closed 1 object and made 1 optional property required"},
		{`[{"name":"a","inputSchema":{"type":"object","additionalProperties":false}}]`, "strict: nothing to fix"},
		{`{"tools":[],"nextCursor":"n"}`, "the list is incomplete: it has a nextCursor"},
	} {
		if _, notes := fixText(t, test.input, Strict); !strings.Contains(notes, test.want) {
			t.Errorf("notes on %s:\n%swant %q", test.input, notes, test.want)
		}
	}
}

// TestFixKeepsShape checks that everything around the tools stays as it was, also a byte order mark.
func TestFixKeepsShape(t *testing.T) {
	const tool, fixed = `{"name":"a","inputSchema":{"type":"object"}}`,
		`{"name":"a","inputSchema":{"type":"object","additionalProperties":false}}`
	for _, shape := range []string{
		"[%s]", "[ %s ,\n%s ]\n", `{"tools":[%s],"nextCursor":"x"}`,
		"\xef\xbb\xbf{\r\n\"z\":1.0,\"tools\" : [%s] }\r\n\r\n",
		`{"jsonrpc":"2.0","id":9007199254740993,"result":{"_meta":{"b":1,"a":2},"tools":[%s]}}`,
	} {
		input, want := strings.ReplaceAll(shape, "%s", tool), strings.ReplaceAll(shape, "%s", fixed)
		c, err := ReadCatalog([]byte(input), "x")
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := Fix(c, Strict)
		if err != nil || !bytes.Equal(got, []byte(want)) {
			t.Errorf("Fix(%q) = %q, %v, want %q", input, got, err, want)
		}
	}
}
