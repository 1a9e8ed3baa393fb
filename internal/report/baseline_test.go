package report

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
		"empty": "", "no JSON": "rules:", "version": `{"version":2,"findings":[]}`, "no version": `{}`, "field": `{"version":1,"finding":[]}`,
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
	path := filepath.Join(dir, "shape")
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
