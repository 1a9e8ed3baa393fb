package catalog

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// A Filter selects tools. The zero value selects all.
type Filter struct {
	Name        string   // part of the name, or a glob if it contains one of *?[; case is ignored
	Server      string   // the server's name, in full
	Tags        []string // all of them
	Annotations []string // name=value each, the value as JSON; a name alone means true
	Source      Source
	// reports what the caller may see; nil means everything. It must not modify or retain the tool
	Allow func(*Tool) bool
	// identifies what Allow reports: with the same key it reports the same. Search then asks it once about each tool, and
	// not again for each query, until the catalog changes; empty means that it is asked each time
	AllowKey string
	// by server: what it lists for the caller, instead of its tools in the catalog; nil means nothing
	Own   map[string]*Listing
	Limit int // maximum number of tools; 0 means no limit for List and DefaultLimit for Search

	catalog *Catalog // set by the catalog, which is locked
}

// all reports whether the filter matches everything.
func (f *Filter) all() bool {
	return f.Name == "" && f.Server == "" && len(f.Tags) == 0 && len(f.Annotations) == 0 && f.Source == "" &&
		f.Allow == nil && f.Own == nil
}

// match reports whether the filter selects a tool of the catalog, or one that is only in listings.
func (f *Filter) match(t *Tool, own bool) bool {
	switch {
	case !f.matchOwn(t, own):
		return false
	case f.Server != "" && f.Server != t.Server:
		return false
	case f.Source != "" && f.Source != t.Source:
		return false
	case f.Allow != nil && !f.Allow(t):
		return false
	case f.Name != "" && !matchName(f.Name, t.Name):
		return false
	}
	for _, tag := range f.Tags {
		if !slices.Contains(t.Tags, tag) {
			return false
		}
	}
	return matchAnnotations(f.Annotations, t.Annotations)
}

func matchName(pattern, name string) bool {
	pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	if !strings.ContainsAny(pattern, "*?[") {
		return strings.Contains(name, pattern)
	}
	// A slash in a name is an ordinary character, unlike in path.Match.
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00"))
	return ok && err == nil
}

func matchAnnotations(want []string, raw json.RawMessage) bool {
	if len(want) == 0 {
		return true
	}
	var have map[string]json.RawMessage
	if json.Unmarshal(raw, &have) != nil {
		return false
	}
	for _, w := range want {
		name, value, ok := strings.Cut(w, "=")
		if !ok {
			value = "true"
		}
		got := string(have[name])
		if got != value && text(have[name]) != value {
			return false
		}
	}
	return true
}
