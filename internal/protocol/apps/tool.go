// Package apps reads what tools and resources declare for MCP Apps, in _meta.ui, and finds faults in it. It is for the
// declarations alone: nothing is rendered.
package apps

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Pointers into a tool.
const (
	viewPointer       = "/_meta/ui/resourceUri"
	visibilityPointer = "/_meta/ui/visibility"
	flatPointer       = "/_meta/ui~1resourceUri" // the deprecated form
)

// Scheme is how the URI of a view starts.
const Scheme = "ui://"

// A Problem is a fault of a declaration.
type Problem struct {
	Pointer string // JSON Pointer into the tool, or into _meta.ui
	Message string
	Warning bool // it is no violation, but has an effect in some hosts
}

func problem(pointer, format string, args ...any) Problem {
	return Problem{Pointer: pointer, Message: fmt.Sprintf(format, args...)}
}

// ViewOf returns the URI of the view of a tool, and where it is declared; empty for a tool without one.
func ViewOf(tool json.RawMessage) (uri, pointer string) {
	for _, at := range []string{viewPointer, flatPointer} {
		if uri := schema.TextAt(tool, at); uri != "" {
			return uri, at
		}
	}
	return "", ""
}

// Declared reports whether a tool declares anything for MCP Apps.
func Declared(tool json.RawMessage) bool {
	_, nested := schema.Get(tool, "/_meta/ui")
	_, flat := schema.Get(tool, flatPointer)
	return nested || flat
}

// HiddenFromModel reports whether only views may call a tool.
func HiddenFromModel(tool json.RawMessage) bool {
	raw, _ := schema.Get(tool, visibilityPointer)
	all, err := schema.Elements(raw)
	for _, one := range all {
		if text, _ := schema.Text(one); text == "model" {
			return false
		}
	}
	return err == nil && len(all) > 0
}

// URIProblems finds a resourceUri that no host can show.
func URIProblems(tool json.RawMessage) []Problem {
	var all []Problem
	for _, at := range []string{viewPointer, flatPointer} {
		raw, ok := schema.Get(tool, at)
		if !ok {
			continue
		}
		switch uri, isText := schema.Text(raw); {
		case !isText:
			all = append(all, problem(at, "resourceUri is %s, expected a string that starts with ui://", brief(raw)))
		case !strings.HasPrefix(uri, Scheme) || len(uri) == len(Scheme):
			all = append(all, problem(at, "resourceUri is %s, expected a URI that starts with ui://", brief(raw)))
		}
	}
	return all
}

// VisibilityProblems finds a visibility that is not a list of model and app.
func VisibilityProblems(tool json.RawMessage) []Problem {
	raw, ok := schema.Get(tool, visibilityPointer)
	if !ok {
		return nil
	}
	const expected = `expected a list of "model" and "app"`
	all, err := schema.Elements(raw)
	if err != nil || schema.Kind(raw) != '[' {
		return []Problem{problem(visibilityPointer, "visibility is %s, %s", brief(raw), expected)}
	}
	if len(all) == 0 {
		return []Problem{problem(visibilityPointer, "visibility is empty, so nobody can call the tool, %s", expected)}
	}
	var problems []Problem
	for i, one := range all {
		if text, _ := schema.Text(one); text != "model" && text != "app" {
			problems = append(problems, problem(fmt.Sprintf("%s/%d", visibilityPointer, i), "visibility has %s, %s",
				brief(one), expected))
		}
	}
	return problems
}

// FlatProblems finds the deprecated key ui/resourceUri where it is the only one, or contradicts the other.
func FlatProblems(tool json.RawMessage) []Problem {
	flat, hasFlat := schema.Get(tool, flatPointer)
	nested, hasNested := schema.Get(tool, viewPointer)
	switch {
	case !hasFlat:
		return nil
	case !hasNested:
		p := problem(flatPointer, "the view is declared only with the deprecated key ui/resourceUri, expected "+
			"_meta.ui.resourceUri")
		p.Warning = true
		return []Problem{p}
	case string(flat) != string(nested):
		return []Problem{problem(flatPointer, "ui/resourceUri is %s and ui.resourceUri is %s, expected the same URI",
			brief(flat), brief(nested))}
	}
	return nil
}

func brief(raw json.RawMessage) string { return clip.Text(string(raw), 80) }
