package arguments

import (
	"fmt"
	"net/mail"
	"net/netip"
	"net/url"
	"time"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// FormatRemark says that text does not have the format that the schema names; empty if it has, or if the format is
// unknown. A format is an annotation: nothing is held back because of it.
func FormatRemark(format, text string) string {
	valid, known := formats[format]
	if !known || valid(text) {
		return ""
	}
	return fmt.Sprintf("not in the format %s, such as %s", format, formatExamples[format])
}

var formats = map[string]func(string) bool{
	"email": func(s string) bool {
		address, err := mail.ParseAddress(s)
		return err == nil && address.Address == s
	},
	"date-time": func(s string) bool { return isTime(time.RFC3339Nano, s) },
	"date":      func(s string) bool { return isTime(time.DateOnly, s) },
	"time":      func(s string) bool { return isTime("15:04:05.999999999Z07:00", s) || isTime("15:04:05", s) },
	"uri":       func(s string) bool { u, err := url.Parse(s); return err == nil && u.Scheme != "" },
	"uuid":      matches(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`),
	"ipv4":      func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() },
	"ipv6":      func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is6() },
	"hostname":  matches(`^[0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?(\.[0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?)*$`),
	"duration":  matches(`^P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)$`),
}

var formatExamples = map[string]string{
	"email": "ada@example.com", "date-time": "2026-01-31T12:00:00Z", "date": "2026-01-31", "time": "12:00:00Z",
	"uri": "https://example.com/", "uuid": "123e4567-e89b-12d3-a456-426614174000", "ipv4": "192.0.2.1",
	"ipv6": "2001:db8::1", "hostname": "example.com", "duration": "P1DT12H",
}

func isTime(layout, text string) bool {
	_, err := time.Parse(layout, text)
	return err == nil
}

// matches returns a function that tests a text with a regular expression.
func matches(expression string) func(string) bool {
	compiled := lazyregexp.New(expression)
	return func(text string) bool { return compiled().MatchString(text) }
}
