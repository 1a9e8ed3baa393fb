package lint

import (
	"errors"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// problem returns why the schema cannot be compiled; nil if it can. Only one goroutine at a time reads a tool, so the
// result can be cached without a lock.
func (d *Document) problem(revision spec.Revision) *schema.CompileError {
	if d.validated {
		return d.fault
	}
	d.validated = true
	if d.Large || plain(d) {
		return nil // schemas that are too large are not inspected; SPEC-027 reports them
	}
	_, err := schema.Compile(d.Raw, &schema.Options{Dialect: revision.Dialect})
	errors.As(err, &d.fault)
	return d.fault
}

// dialectName returns the dialect that the schema is validated against.
func (d *Document) dialectName(revision spec.Revision) string {
	name := revision.Dialect
	if root := d.Root(); root != nil {
		if declared, ok := root.Text("$schema"); ok {
			name = declared
		}
	}
	for _, known := range []string{"draft-04", "draft-06", "draft-07", "2019-09", "2020-12"} {
		if strings.Contains(name, known) {
			return known
		}
	}
	return name
}

// leadsOut reports whether a reference leads to another document.
func (d *Document) leadsOut(ref string) bool {
	base, _, _ := strings.Cut(ref, "#")
	if base == "" {
		return false
	}
	for _, place := range d.Subschemas {
		if id, ok := place.Text("$id"); ok && strings.HasSuffix(strings.TrimSuffix(id, "#"), base) {
			return false
		}
	}
	return !strings.Contains(base, "json-schema.org/")
}

// brokenRefs lists the places whose local reference is unresolved.
func (d *Document) brokenRefs() []*Subschema {
	var broken []*Subschema
	for _, place := range d.Subschemas {
		ref, ok := place.Text("$ref")
		fragment, local := d.fragment(ref)
		if !ok || !local || place.Ref() != nil {
			continue
		}
		if _, exists := schema.Get(d.Raw, fragment); !exists {
			broken = append(broken, place)
		}
	}
	return broken
}

// withoutAdvisory ignores what newer drafts only advise against: an enum with a duplicate value, which QUAL-016
// reports.
func withoutAdvisory(violations []schema.Violation) []schema.Violation {
	return slices.DeleteFunc(slices.Clone(violations), func(v schema.Violation) bool {
		return v.Rule == "uniqueItems" && strings.HasSuffix(v.Path, "/enum")
	})
}
