package arguments

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// corpus reads the input schemas of real tools. It skips where the data is absent, except where it is required.
func corpus(tb testing.TB) []json.RawMessage {
	tb.Helper()
	file, err := os.Open(filepath.Join(dataFolder(tb), "tools.jsonl"))
	if err != nil {
		if os.Getenv("CI") != "" || os.Getenv("MCPTEST_REQUIRE_DATA") != "" {
			tb.Fatalf("the data is required: %v", err)
		}
		tb.Skip("no data/tools.jsonl; set MCPTEST_DATA to the folder that has it")
	}
	defer file.Close()
	var schemas []json.RawMessage
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var server struct {
			Tools []struct{ InputSchema json.RawMessage }
		}
		if err := json.Unmarshal(lines.Bytes(), &server); err != nil {
			tb.Fatal(err)
		}
		for _, tool := range server.Tools {
			schemas = append(schemas, tool.InputSchema)
		}
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return schemas
}

func dataFolder(tb testing.TB) string {
	if folder := os.Getenv("MCPTEST_DATA"); folder != "" {
		return folder
	}
	root, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return filepath.Join(root, "..", "shared", "data")
		}
		if root == filepath.Dir(root) {
			tb.Fatal("no go.mod above the package")
		}
		root = filepath.Dir(root)
	}
}

func TestRealSchemasGetForms(t *testing.T) {
	modes, kinds := map[Mode]int{}, map[Kind]int{}
	var samples, trips int
	for i, inputSchema := range corpus(t) {
		form := Model(inputSchema)
		modes[form.Mode]++
		if (form.Mode == ModeJSON) != (form.Reason != "") || form.Mode == ModeJSON && len(form.Fields) > 0 {
			t.Errorf("schema %d: %s with reason %q and %d fields", i, form.Mode, form.Reason, len(form.Fields))
		}
		for _, f := range form.Fields {
			kinds[f.Kind]++
		}
		if _, errs := form.Encode(form.Start()); len(errs) > 0 {
			t.Errorf("schema %d: the start of the form cannot be sent: %v", i, errs[0])
		}
		if i%10 != 0 {
			continue // samples of all are another package's test
		}
		sample, err := schema.Sample(inputSchema, &schema.SampleOptions{AllProperties: true})
		if err != nil {
			continue
		}
		samples++
		values, notices, err := form.Parse(sample)
		if err != nil {
			t.Errorf("schema %d: Parse(%s): %v", i, sample, err)
			continue
		}
		if got, errs := form.Encode(values); len(errs) > 0 || string(got) != string(sample) {
			t.Errorf("schema %d: %s becomes %s, %v", i, sample, got, errs)
		}
		if len(notices) == 0 {
			trips++
		}
	}
	t.Logf("modes %v; kinds %v; of %d samples the form shows %d in full", modes, kinds, samples, trips)
	if share := 100 * modes[ModeForm] / (modes[ModeForm] + modes[ModeJSON]); share < 80 {
		t.Errorf("%d %% of real tools get a form, want at least 80 %%", share)
	}
}

func BenchmarkFormModelCorpus(b *testing.B) {
	schemas := corpus(b)
	for b.Loop() {
		for _, inputSchema := range schemas {
			Model(inputSchema)
		}
	}
}
