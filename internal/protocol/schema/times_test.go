package schema

import "testing"

// A description says which form a time has.
func TestDescribedTime(t *testing.T) {
	t.Parallel()
	for description, want := range map[string]string{
		"First day of the week as YYYY-MM-DD":        "2025-01-31",
		"When it starts (ISO 8601).":                 "2025-01-31T12:00:00Z",
		"ISO 8601 date":                              "2025-01-31",
		"ISO date-time of the start":                 "2025-01-31T12:00:00Z",
		"RFC 3339 in UTC":                            "2025-01-31T12:00:00Z",
		"Start, YYYY-MM-DD HH:MM":                    "2025-01-31 12:00",
		"Start, yyyy-mm-ddThh:mm:ss":                 "2025-01-31T12:00:00",
		"Instant, YYYY-MM-DDTHH:MM[:SS]Z":            "2025-01-31T12:00Z",
		"Month (YYYY-MM)":                            "2025-01",
		"Opening time, HH:MM":                        "12:00",
		"ISO 8601 duration, e.g. PT1H":               "",
		"ISO 639 code of the language":               "",
		"Name of the store, as in the last response": "",
	} {
		if got := DescribedTime(description); got != want {
			t.Errorf("%q: %q, expected %q", description, got, want)
		}
	}
}

// Samples of times exist, and the end of a range is after its start.
func TestSampleOfRange(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		`{"from":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{3})?Z$"},` +
			`"to":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{3})?Z$"}}`: `{"from":"2025-01-31T12:00:00Z","to":"2025-02-01T12:00:00Z"}`,
		`{"endDate":{"type":"string","format":"date"},"startDate":{"type":"string","format":"date"}}`:                                 `{"endDate":"2025-02-01","startDate":"2025-01-31"}`,
		`{"since":{"type":"string","description":"YYYY-MM-DD"},"until":{"type":"string","description":"YYYY-MM-DD"}}`:                 `{"since":"2025-01-31","until":"2025-02-01"}`,
		`{"at":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?Z$"}}`:                            `{"at":"2025-01-31T12:00Z"}`,
		`{"day":{"type":"string","pattern":"^\\d{2}\\.\\d{2}\\.\\d{4}$"}}`:                                                            `{"day":"31.01.2025"}`,
		`{"week":{"type":"string","pattern":"^\\d{4}-W\\d{2}$"}}`:                                                                     `{"week":"2025-W05"}`,
		`{"start":{"type":"string","examples":["2026-03-02T09:00:00Z"]},"end":{"type":"string","examples":["2026-03-02T09:00:00Z"]}}`: `{"start":"2026-03-02T09:00:00Z","end":"2026-03-03T09:00:00Z"}`,
		`{"born":{"type":"string","format":"date"},"to":{"type":"string","format":"date"}}`:                                           `{"born":"2025-01-31","to":"2025-01-31"}`,
	} {
		got, err := Sample([]byte(`{"type":"object","properties":`+input+`}`), &SampleOptions{AllProperties: true})
		if err != nil || string(got) != want {
			t.Errorf("%s: %s (%v), expected %s", input, got, err, want)
		}
	}
}
