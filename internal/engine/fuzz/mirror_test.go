package fuzz

import (
	"encoding/json"
	"testing"
)

// TestReadableNumbers wants a text with other numbers than structuredContent to be found once another call had the same.
func TestReadableNumbers(t *testing.T) {
	const data, text = `{"high":9.5,"low":3.25,"wind":12.0}`, "high 9.5 C, low 3.2 C, wind 12.0 km/h"
	for name, c := range map[string]struct {
		first      string
		data, text string
		want       bool
	}{
		"not converted":        {text, `{"high":49.1,"low":37.85,"wind":7.46}`, "high 9.5 F, low 3.2 F, wind 12.0 mph", true},
		"converted":            {text, `{"high":49.1,"low":37.85,"wind":7.46}`, "high 49.1 F, low 37.9 F, wind 7.5 mph", false},
		"some":                 {text, `{"high":49.1,"low":37.85,"wind":7.46}`, "high 49.1 F, low 3.2 F, wind 12.0 mph", false},
		"never the same":       {"a table", `{"high":49.1,"low":37.85,"wind":7.46}`, "high 9.5 F, low 3.2 F, wind 12.0 mph", false},
		"a text without":       {text, `{"high":49.1,"low":37.85,"wind":7.46}`, "3 values", false},
		"separators":           {text, `{"high":12345.67,"low":20345.25,"wind":70000.5}`, "high 12,345.67, low 20,345.25, wind 70,000.5", false},
		"exponents":            {text, `{"high":1.7e+21,"low":37.85,"wind":7.46,"rain":1.25}`, "high 9.5, low 3.2, wind 12.0, 1.0", false},
		"thousands":            {text, `{"high":12345.6,"low":20345.2,"wind":70000.5}`, "high 12.3K, low 20.3K, wind 70.0K", false},
		"too few":              {text, `{"high":49.1}`, "high 9.5 F, low 3.2 F, wind 12.0 mph", false},
		"JSON, done elsewhere": {text, `{"high":49.1,"low":37.85,"wind":7.46}`, `{"high":9.5,"low":3.2,"wind":12.0}`, false},
	} {
		m := &mirror{}
		if b := m.readable(json.RawMessage(data), c.first); b != nil {
			t.Errorf("%s: first %+v", name, b)
		}
		if b := m.readable(json.RawMessage(c.data), c.text); (b != nil) != c.want {
			t.Errorf("%s: got %+v, want %v", name, b, c.want)
		}
	}
}
