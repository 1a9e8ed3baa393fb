package config

import (
	"bytes"
	"strings"
	"testing"
)

// Files that TOML does not allow are rejected, with a position inside the file.
func TestInvalidTOML(t *testing.T) {
	for _, source := range []string{
		"a", "a =", "= 1", "a = [1", "a = [1 2]", `a = "x`, "a = 'x\n'", `a = """x"`, "a = 1 b = 2", "a = 1\na = 2",
		"[a]\n[a]", "a = 1\n[a.b]", "a = 1\n[[a]]", "a = []\n[[a]]", "[a\nb = 1", "[[a]\nb = 1", `a = "\q"`, `a = "\u12"`,
		"a = 007", "a = {b = 1", "a = {b = 1}\n[a]", "a = nope", "a." + strings.Repeat("b.", 100) + "c = 1",
		"a = " + strings.Repeat("[", 100_000), "a = " + strings.Repeat("{b=", 100_000),
		"a = {" + strings.Repeat("b.c = 1,", 100_000),
	} {
		_, err := readTOML([]byte(source))
		fault, ok := err.(*tomlError)
		if !ok || fault.at > len(source) {
			t.Errorf("%.40q: got %v, want an error with a position", source, err)
		}
	}
}

// Whatever a file contains, reading it ends, and what is read is JSON.
func FuzzTOML(f *testing.F) {
	for _, seed := range []string{"a.b = [1, {c = 'd'}]\n[[e.f]]\ng = \"\"\"\nh\\\n \"\"\"\n", "a = 0x_", "a = \"\\",
		"[\"", "a=\"\"\"\"\"\"\"\""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		root, err := readTOML(source)
		if err != nil {
			return
		}
		var out bytes.Buffer
		var places []mapping
		root.write(&out, &places)
		if _, err := whole(out.Bytes()); err != nil {
			t.Errorf("%q becomes %s: %v", source, out.Bytes(), err)
		}
	})
}
