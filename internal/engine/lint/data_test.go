package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/realdata"
)

// readData reads the catalogs of real servers.
func readData(t testing.TB) []*Catalog {
	t.Helper()
	var catalogs []*Catalog
	realdata.EachLine(t, realdata.Path(t, "tools.jsonl"), func(line []byte) {
		var server struct {
			Server string `json:"server"`
		}
		if err := json.Unmarshal(line, &server); err != nil {
			t.Fatal(err)
		}
		c, err := ReadCatalog(bytes.Clone(line), server.Server)
		if err != nil {
			t.Fatal(err)
		}
		catalogs = append(catalogs, c)
	})
	return catalogs
}

// TestFixData holds the promises of the fix on real tools: fixed schemas compile, fixing twice changes nothing, and no
// SCH-001 or SCH-002 is left except where the fix said so.
func TestFixData(t *testing.T) {
	var sum fixCoverage
	for i, c := range readData(t) {
		if testing.Short() && i%10 != 0 {
			continue
		}
		for _, mode := range Modes() {
			testFixed(t, c, mode, &sum)
		}
	}
	t.Logf("%d fixed schemas compiled, %d with a sample", sum.compiled, sum.sampled)
	if sum.sampled*100 < sum.compiled*95 {
		t.Errorf("only %d of %d schemas had a sample; the promise about samples was hardly tested", sum.sampled,
			sum.compiled)
	}
}

type fixCoverage struct{ compiled, sampled int }

func testFixed(t *testing.T, c *Catalog, mode Mode, sum *fixCoverage) {
	t.Helper()
	fixed, notes, err := Fix(c, mode)
	if err != nil {
		t.Fatalf("%s: Fix(%s): %v", c.Name, mode, err)
	}
	after, err := ReadCatalog(fixed, c.Name)
	if err != nil {
		t.Fatalf("%s: Fix(%s) gives no catalog: %v", c.Name, mode, err)
	}
	again, leftNotes, err := Fix(after, mode)
	if err != nil || !bytes.Equal(again, fixed) {
		t.Errorf("%s: fixing twice (%s) changes something: %v", c.Name, mode, err)
	}
	if mode == Nullable {
		notes = leftNotes // letting null in may wrap a schema, and then what is inside has moved
	}
	testLeft(t, after, mode, notes)
	for i, tool := range after.Tools {
		if mode == Strict || i%8 == 0 { // strict holds the changes of the others; a part of those will do
			sum.compiled++
			if testCompiles(t, c.Tools[i], tool, mode) {
				sum.sampled++
			}
		}
	}
}

// testLeft re-lints what was fixed.
func testLeft(t fixTester, after *Catalog, mode Mode, notes []Note) {
	t.Helper()
	told := map[[2]string]bool{}
	for _, n := range notes {
		told[[2]string{n.Subject, n.Pointer}] = true
	}
	rules := []string{"SCH-001", "SCH-002"}
	if mode == Closed {
		rules = rules[1:]
	}
	for _, f := range Run(context.Background(), after, &Options{Rules: rules}).Findings() {
		if !told[[2]string{f.Where.Subject, f.Where.Pointer}] {
			t.Errorf("%s after Fix(%s): %s %s %s: %s", after.Name, mode, f.Rule, f.Where.Subject, f.Where.Pointer,
				f.Message)
		}
	}
}

// testCompiles checks that a schema that compiled before the fix compiles after it, and that a sample that was valid
// before is valid after. It reports whether there was such a sample.
func testCompiles(t fixTester, before, after *Tool, mode Mode) bool {
	t.Helper()
	doc := newDocument("/inputSchema", get(before.Raw, "/inputSchema"))
	old, err := schema.Compile(doc.Raw, nil)
	if err != nil {
		return false
	}
	fixed, err := schema.Compile(get(after.Raw, "/inputSchema"), nil)
	if err != nil {
		t.Errorf("%s: the fixed schema does not compile: %v", before.Subject(), err)
		return false
	}
	sample, ok := sampleFor(doc)
	if !ok || len(old.Validate(sample)) > 0 {
		return false
	}
	if violations := fixed.Validate(sample); len(violations) > 0 {
		t.Errorf("%s (%s): a sample was valid before the fix and is not after it: %v\n%s", before.Subject(), mode,
			violations, sample)
	}
	return true
}

// TestRunData runs every rule on every tool: nothing may crash, and two runs say the same.
func TestRunData(t *testing.T) {
	opts := &Options{Hosts: []string{"all"}}
	for _, c := range readData(t) {
		first, second := Run(context.Background(), c, opts), Run(context.Background(), c, opts)
		if show(first) != show(second) {
			t.Errorf("%s: two runs differ", c.Name)
		}
	}
}

// BenchmarkData is the whole of the data with all rules, server by server. The bar is 2 s on 2 cores and 300 MB.
func BenchmarkData(b *testing.B) {
	catalogs := readData(b)
	benchmarkRun(b, catalogs)
}

// BenchmarkOneCatalog is the same as a single catalog of 8,256 tools, all in memory at once.
func BenchmarkOneCatalog(b *testing.B) {
	benchmarkRun(b, []*Catalog{Join(readData(b)...)})
}

func benchmarkRun(b *testing.B, catalogs []*Catalog) {
	b.ReportAllocs()
	findings := 0
	for b.Loop() {
		findings = 0
		for _, c := range catalogs {
			findings += len(Run(context.Background(), c, &Options{Hosts: []string{"all"}}).Findings())
		}
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(findings), "findings")
	b.ReportMetric(float64(memory.Sys>>20), "MB-from-OS")
}

// A fixTester is what the checks of a fix need of a test, whether its tools are real or random.
type fixTester interface {
	Helper()
	Errorf(format string, args ...any)
}
