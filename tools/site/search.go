package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// An entry is a part of a page that a search can find.
type entry struct {
	URL     string `json:"u"`
	Page    string `json:"p"`
	Heading string `json:"h,omitempty"` // empty for the beginning of the page
	Text    string `json:"t"`
}

// searchIndex returns a script with all parts of all pages. A script can be loaded from a disk, which JSON cannot.
func searchIndex(pages map[string]*page) ([]byte, error) {
	var entries []entry
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		p := pages[name]
		for i, s := range p.sections {
			e := entry{URL: p.url(), Page: p.title, Text: s.text}
			if i > 0 {
				e.URL, e.Heading = e.URL+"#"+s.ID, s.Text
			}
			entries = append(entries, e)
		}
	}
	var out bytes.Buffer
	out.WriteString("window.searchIndex = ")
	encoder := json.NewEncoder(&out)
	if err := encoder.Encode(entries); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
