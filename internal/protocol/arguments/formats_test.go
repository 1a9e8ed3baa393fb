package arguments

import "testing"

func TestFormatRemarkNamesWhatDoesNotMatch(t *testing.T) {
	for _, test := range []struct {
		format, text string
		ok           bool
	}{
		{"email", "ada@example.com", true}, {"email", "nobody", false}, {"email", "Ada <ada@example.com>", false},
		{"date-time", "2026-01-31T12:00:00.5+01:00", true}, {"date-time", "tomorrow", false},
		{"date-time", "2026-02-31T12:00:00Z", false}, {"date", "2026-01-31", true}, {"date", "31.1.2026", false},
		{"time", "12:00:00", true}, {"time", "noon", false}, {"uri", "urn:x", true}, {"uri", "example", false},
		{"uuid", "123e4567-e89b-12d3-a456-426614174000", true}, {"uuid", "123", false},
		{"ipv4", "::1", false}, {"ipv6", "::1", true}, {"hostname", "a.b-c.example", true}, {"hostname", "a..b", false},
		{"duration", "P1DT12H", true}, {"duration", "12h", false}, {"x-unknown", "anything", true},
	} {
		if got := FormatRemark(test.format, test.text); (got == "") != test.ok {
			t.Errorf("FormatRemark(%s, %q) = %q, want ok %t", test.format, test.text, got, test.ok)
		}
	}
	for name := range formats {
		if example, ok := formatExamples[name]; !ok || FormatRemark(name, example) != "" {
			t.Errorf("example %q does not have the format %s", example, name)
		}
	}
}
