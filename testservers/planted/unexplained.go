package planted

import (
	"encoding/json"
	"strings"
	"time"
)

var (
	due    = object(`"day":{"type":"string","format":"date"}`, `"day"`)
	lookup = object(`"words":{"type":"string","description":"Words to search for","maxLength":100}`, `"words"`)
)

// unexplained lists servers that fail for some values, and do not say why.
func unexplained() []Creature {
	failed := func(s *server) string { return s.failed("Internal error.") }
	return []Creature{
		{Name: "fails on a leap day", input: due, Rule: "FUZZ-032", Smallest: `{"day":"2024-02-29"}`,
			work: when(func(a json.RawMessage) bool { return strings.HasSuffix(text(a, "day"), "02-29") }, failed)},
		{Name: "fails on a parenthesis", input: lookup, Rule: "FUZZ-032", Smallest: `{"words":"("}`,
			work: when(func(a json.RawMessage) bool { return strings.Contains(text(a, "words"), "(") },
				func(s *server) string { return s.failed("Search failed.") })},
		{Name: "opens an invoice once", input: object(`"id":{"type":"string","description":"Number of the invoice: I-1 or I-2"}`,
			`"id"`), Rule: "FUZZ-011", Smallest: `{"id":"I-1"}`, work: opens},
		{Name: "offers invoices", input: object(`"id":{"type":"string","description":"Number of the invoice"}`, `"id"`),
			Rule: "FUZZ-011", Smallest: `{"id":"I-1"}`, work: opens},
	}
}

// opens is a tool that knows two names and fails if one is used twice in a row.
func opens(s *server, a json.RawMessage) string {
	id := text(a, "id")
	switch {
	case id != "I-1" && id != "I-2":
		return s.failed("There is no such invoice. The invoices are I-1 and I-2.")
	case s.memory["open"] == id:
		return s.failed("The invoice " + id + " is already open.")
	}
	s.memory["open"] = id
	return fine
}

// explained lists servers that reject such values for a reason.
func explained() []Creature {
	parenthesis := func(a json.RawMessage) bool { return strings.Contains(text(a, "words"), "(") }
	return []Creature{
		{Name: "has no leap days", input: due, work: when(
			func(a json.RawMessage) bool { return strings.HasSuffix(text(a, "day"), "02-29") },
			func(s *server) string { return s.failed("Could not book: 29 February is not a valid day for this.") })},
		{Name: "books days of some months", input: due, work: func(s *server, a json.RawMessage) string {
			day, err := time.Parse(time.DateOnly, text(a, "day"))
			if err != nil || day.Year() < 2025 {
				return s.failed("Booking failed.")
			}
			return fine
		}},
		{Name: "knows no parentheses", input: lookup, work: when(parenthesis,
			func(s *server) string { return s.failed("Search failed: the character ( is not allowed") })},
		{Name: "takes a pattern", input: object(`"words":{"type":"string","description":"Regular expression to search for"}`,
			`"words"`), work: when(parenthesis, func(s *server) string { return s.failed("Search failed.") })},
		{Name: "finds known words", input: lookup, work: func(s *server, a json.RawMessage) string {
			if text(a, "words") != "zz" {
				return s.failed("Search failed.")
			}
			return fine
		}},
	}
}
