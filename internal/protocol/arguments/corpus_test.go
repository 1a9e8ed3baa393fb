package arguments

import (
	"encoding/json"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/realdata"
)

// corpus reads the input schemas of real tools.
func corpus(tb testing.TB) []json.RawMessage {
	tb.Helper()
	var schemas []json.RawMessage
	realdata.EachLine(tb, realdata.Path(tb, "tools.jsonl"), func(line []byte) {
		var server struct {
			Tools []struct{ InputSchema json.RawMessage }
		}
		if err := json.Unmarshal(line, &server); err != nil {
			tb.Fatal(err)
		}
		for _, tool := range server.Tools {
			schemas = append(schemas, tool.InputSchema)
		}
	})
	return schemas
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
		spaceless := jsontext.Value(sample)
		if err := spaceless.Compact(); err != nil {
			t.Fatal(err)
		}
		if got, errs := form.Encode(values); len(errs) > 0 || string(got) != string(spaceless) {
			t.Errorf("schema %d: %s becomes %s, %v", i, sample, got, errs)
		}
		if len(notices) == 0 {
			trips++
		}
	}
	t.Logf("modes %v; kinds %v; of %d samples the form shows %d in full", modes, kinds, samples, trips)
	if share := 1000 * modes[ModeForm] / (modes[ModeForm] + modes[ModeJSON]); share < 995 {
		t.Errorf("%d of 1000 real tools get a form, want at least 995", share)
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
