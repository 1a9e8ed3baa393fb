package report

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

func TestBaseline(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.json")
	if err := NewBaseline(sample()).Write(path); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "baseline", string(first))

	shuffled := sample()
	slices.Reverse(shuffled.Results)
	if err := NewBaseline(shuffled).Write(path); err != nil {
		t.Fatal(err)
	}
	if second, _ := os.ReadFile(path); string(second) != string(first) {
		t.Errorf("another order of results changed the file:\n%s", second)
	}

	baseline, err := ReadBaseline(path)
	if err != nil {
		t.Fatal(err)
	}
	all := sample()
	all.Results[0].Findings[0].Message = "worded differently"
	if got := baseline.Filter(all); got.Suppressed != 5 || got.Stale != nil || len(all.Findings()) != 0 {
		t.Errorf("Filter = %+v and left %v; want all five taken out", got, all.Findings())
	}
	if got := all.Results[0].Status(); got != finding.Passed {
		t.Errorf("a result without findings is %s", got)
	}
}

func TestBaselineStaleAndNew(t *testing.T) {
	baseline := NewBaseline(sample())
	r := sample()
	r.Results[1].Findings[0].Where.Pointer = "/inputSchema/properties/a" // a new place, and the old one is gone
	r.Rules = slices.DeleteFunc(r.Rules, func(rule finding.Rule) bool { return rule.ID == "QUAL-1" })
	r.Results = slices.Delete(r.Results, 3, 4) // QUAL-1 was not selected
	got := baseline.Filter(r)
	want := &Applied{Suppressed: 3, Stale: []Entry{{Rule: "SCH-002", Subject: "get-sum", Pointer: "/inputSchema"}}}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("Filter (-got +want):\n%s", diff)
	}
	if left := r.Findings(); len(left) != 1 || left[0].Rule != "SCH-002" {
		t.Errorf("left %v, want the new one", left)
	}
}

func TestBaselineFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"empty": "", "no JSON": "rules:", "version": `{"version":2,"findings":[]}`, "no version": `{}`,
		"field":    `{"version":1,"finding":[]}`,
		"trailing": `{"version":1,"findings":[]} x`, "shape": `[]`,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadBaseline(path); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := ReadBaseline(filepath.Join(dir, "none")); err == nil {
		t.Error("a missing file: no error")
	}
	path := filepath.Join(dir, "empty")
	if err := NewBaseline(sample()).Write(path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o640) {
		t.Errorf("mode %v, %v; want the file's own 0640", info.Mode(), err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 7 {
		t.Errorf("%d files are left, want 7", len(files))
	}
}

// TestBaselineKeepsOtherFiles names files by mistake that hold something else.
func TestBaselineKeepsOtherFiles(t *testing.T) {
	for _, content := range []string{`{"tools":[]}`, `[{"name":"a"}]`, "notes\n", `{"version":2,"findings":[]}`,
		`{"version":1`} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		err := NewBaseline(sample()).Write(path)
		if err == nil || !strings.Contains(err.Error(), "was not overwritten") {
			t.Errorf("Write over %q: %v, want a refusal", content, err)
		}
		if got, _ := os.ReadFile(path); string(got) != content {
			t.Errorf("Write over %q left %q", content, got)
		}
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := NewBaseline(sample()).Write(empty); err != nil {
			t.Errorf("Write over nothing, then over a baseline: %v", err)
		}
	}
}

// TestBaselineErrors reads what is no baseline: the text names the line and speaks of nothing inside the program.
func TestBaselineErrors(t *testing.T) {
	for content, want := range map[string]string{
		"": "the file is empty", "[]": "line 1: not a baseline", "{\n\"tools\":[]}": "line 2: not a baseline",
		"{\n\"version\":": "line 2: not JSON",
		`{"version":"1"}`: "not a baseline", "{\n]": "line 2: not JSON", `{"version":3}`: "version 3, expected 1",
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadBaseline(path)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "json:") ||
			strings.Contains(err.Error(), "Go ") {
			t.Errorf("ReadBaseline(%q): %v, want %s", content, err, want)
		}
	}
}
