package hosts

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecordTools records tools with a host that drops those without a description.
func TestRecordTools(t *testing.T) {
	data, out := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(data, "batches", "batch-00.json"), `[
	  {"server": "a", "tool": {"name": "get", "description": "Gets.",
	    "inputSchema": {"type": "object", "default": 1.0}}},
	  {"server": "a", "tool": {"name": "put", "inputSchema": {"type": "object"}}},
	  {"server": "a", "tool": {"name": "third", "description": "Not recorded.", "inputSchema": {"type": "object"}}}]`)
	text, status := recordTools(t, data, "--run", "qwen", "--run-from", built.players, "--out", out, "--tools", "2",
		"--within", "1m")
	file := filepath.Join(out, "qwen-0.15.10.jsonl")
	if want := `"file":"` + file + `"`; status != 0 || !strings.Contains(strings.ReplaceAll(text, ": ", ":"), want) {
		t.Fatalf("exit status %d, %s; want %s", status, text, want)
	}
	got, err := os.ReadFile(file)
	want := `{"server":"a","tool":"get","given":{"name":"mcp__t__get","description":"Gets.","parameters":` +
		`{"type":"object","default":1.0}},"outcome":"as sent","why":null,"batch":0,"index":0}` + "\n" +
		`{"server":"a","tool":"put","given":null,"outcome":"dropped","why":"the other tools of its server arrived",` +
		`"batch":0,"index":1}` + "\n"
	if err != nil || string(got) != want {
		t.Errorf("%v, recorded\n%s, want\n%s", err, got, want)
	}
}

// TestRecordFails checks that nothing is written if a host does not ask its model, or is not installed.
func TestRecordFails(t *testing.T) {
	data := t.TempDir()
	writeFile(t, filepath.Join(data, "batches", "batch-00.json"), `[{"server":"a","tool":{"name":"get"}}]`)
	text, status := recordTools(t, data, "--run", "codex", "--run-from", built.players, "--within", "2s")
	if files, _ := filepath.Glob(filepath.Join(data, "*.jsonl")); status == 0 || len(files) > 0 ||
		!strings.Contains(text, "did not ask its model") {
		t.Errorf("exit status %d, files %q: %s", status, files, text)
	}
	t.Setenv("PATH", t.TempDir())
	if text, status := recordTools(t, data, "--run", "qwen"); status != 2 || !strings.Contains(text, "use --fetch") {
		t.Errorf("exit status %d: %s", status, text)
	}
}

// recordTools runs mcptest hosts record --json.
func recordTools(t *testing.T, args ...string) (output string, status int) {
	t.Helper()
	cmd := exec.Command(built.mcptest, append([]string{"hosts", "record", "--json"}, args...)...)
	temp := t.TempDir()
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "HOME="+t.TempDir())
	text, _ := cmd.CombinedOutput()
	noLeftovers(t, temp)
	return string(text), cmd.ProcessState.ExitCode()
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil || !json.Valid([]byte(text)) {
		t.Fatal(path, err)
	}
}
