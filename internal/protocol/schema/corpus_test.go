package schema

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/realdata"
)

// A realSchema is the input schema of a tool that someone serves.
type realSchema struct {
	name string
	raw  json.RawMessage
}

// corpus reads the real tools.
func corpus(tb testing.TB) []realSchema {
	tb.Helper()
	var schemas []realSchema
	realdata.EachLine(tb, realdata.Path(tb, "tools.jsonl"), func(line []byte) {
		var server struct {
			Server string
			Tools  []struct {
				Name        string
				InputSchema json.RawMessage
			}
		}
		if err := json.Unmarshal(line, &server); err != nil {
			tb.Fatal(err)
		}
		for _, tool := range server.Tools {
			schemas = append(schemas, realSchema{server.Server + "/" + tool.Name, tool.InputSchema})
		}
	})
	return schemas
}

func TestRealSchemasGetSamples(t *testing.T) {
	schemas := corpus(t)
	reasons := map[string]int{}
	var sampled, all, formats int
	start := time.Now()
	for _, real := range schemas {
		compiled, err := Compile(real.raw, nil)
		if err != nil {
			reasons[string(err.(*CompileError).Kind)]++
			t.Logf("no sample: %s: %v", real.name, err)
			continue
		}
		value, err := compiled.Sample(nil)
		if err != nil {
			reasons["not found"]++
			t.Logf("no sample: %s: %v", real.name, err)
			continue
		}
		sampled++
		if violations := compiled.Validate(value); len(violations) > 0 {
			t.Errorf("%s: sample %s: %s", real.name, value, violations[0].Message)
		}
		if _, err := compiled.Sample(&SampleOptions{Style: Smallest}); err != nil {
			t.Errorf("%s has a typical but no smallest sample: %v", real.name, err)
		}
		if full, err := compiled.Sample(&SampleOptions{AllProperties: true}); err == nil {
			if fillsAll(real.raw, full) {
				all++
			}
		} else if !errors.Is(err, ErrNoSample) {
			t.Errorf("%s: %v", real.name, err)
		}
		if strict, err := Compile(real.raw, &Options{AssertFormat: true}); err == nil &&
			len(strict.Validate(value)) == 0 {
			formats++
		} else if err == nil {
			t.Logf("format: %s: %s: %s", real.name, value, strict.Validate(value)[0].Message)
		}
	}
	share := 100 * float64(sampled) / float64(len(schemas))
	t.Logf("%d schemas, %d sampled (%.2f %%), %d with all properties, %d with valid formats; without: %v; %v",
		len(schemas), sampled, share, all, formats, reasons, time.Since(start).Round(time.Millisecond))
	if share < 97 {
		t.Errorf("%.2f %% of the schemas get a sample, want at least 97 %%", share)
	}
}

// fillsAll reports whether a sample has every property that the root of the schema declares.
func fillsAll(raw, sample json.RawMessage) bool {
	properties, _ := Get(raw, "/properties")
	declared, _ := Members(properties)
	for _, m := range declared {
		if _, ok := Get(sample, "/"+Token(m.Name)); !ok {
			return false
		}
	}
	return true
}
