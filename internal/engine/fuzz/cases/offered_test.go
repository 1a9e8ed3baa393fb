package cases

import (
	"encoding/json"
	"testing"
)

// TestOffer expects values that an error offers in the next cases, and each once.
func TestOffer(t *testing.T) {
	g, err := NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"id":{"type":"string","maxLength":3},`+
		`"sort":{"type":"string","enum":["up","down"]}},"required":["id","sort"]}`), 1, Care{})
	if err != nil {
		t.Fatal(err)
	}
	g.Next()
	g.Offer([]string{"I-1", "too long"})
	g.Offer([]string{"I-1"})
	first := g.Next()
	if got, want := string(first.Arguments), `{"id":"I-1","sort":"down"}`; got != want || !first.IsKnown() {
		t.Errorf("got %s, expected %s", got, want)
	}
	if second := g.Next(); second.IsKnown() {
		t.Errorf("got %s again", second.Arguments)
	}
}

// TestListedValuesAreEarly expects the identifiers that a description lists among the first cases.
func TestListedValuesAreEarly(t *testing.T) {
	g, err := NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"id":{"type":"string",`+
		`"description":"Number of the invoice: I-1 or I-2"}},"required":["id"]}`), 1, Care{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range 10 {
		c := g.Next()
		seen[string(c.Arguments)] = true
	}
	if !seen[`{"id":"I-1"}`] || !seen[`{"id":"I-2"}`] {
		t.Errorf("got %v", seen)
	}
}
