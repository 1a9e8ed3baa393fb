package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Mode selects how far a fix goes.
type Mode string

// The modes of [Fix].
const (
	Strict   Mode = "strict"   // every object closed, every declared property required
	Closed   Mode = "closed"   // every object closed; optional properties stay optional
	Nullable Mode = "nullable" // as strict, and formerly optional properties may be null
)

// Modes lists the modes, the default first.
func Modes() []Mode { return []Mode{Strict, Closed, Nullable} }

// A Note is information about a fix for the user.
type Note struct {
	Subject string `json:"subject,omitempty"` // the tool; empty for a note about the whole fix
	Pointer string `json:"pointer,omitempty"`
	Message string `json:"message"`
}

// Fix tightens the schemas of a catalog and returns it in the form in which it was read, with all other bytes
// unchanged. It adds "required" and then "additionalProperties" to the end of an object that lacks them; required keeps
// its entries and gets the missing ones in the order in which the properties are declared. It never invents a type or a
// limit. The first note describes how the fix changes the meaning, the others list the places that it did not change
// and why. Fix is idempotent. A tool that cannot be read reliably stays unchanged, with a note.
func Fix(c *Catalog, mode Mode) ([]byte, []Note, error) {
	if mode == "" {
		mode = Strict
	}
	if !slices.Contains(Modes(), mode) {
		return nil, nil, fmt.Errorf("fix mode %q, expected strict, closed or nullable", mode)
	}
	var sum fixStats
	fixed := make([]json.RawMessage, len(c.Tools))
	for i, t := range c.Tools {
		fixed[i] = sum.fix(t.forRun(), mode)
	}
	if c.Partial {
		sum.notes = append(sum.notes, Note{Message: "the list is incomplete: it has a nextCursor, and the tools on " +
			"the next page are not in this file"})
	}
	return c.splice(fixed), append([]Note{sum.meaning(mode)}, sum.notes...), nil
}

// splice inserts changed tools into the file, or into a plain list if there was no file.
func (c *Catalog) splice(tools []json.RawMessage) []byte {
	var out bytes.Buffer
	if c.data == nil {
		out.WriteString(`{"tools":[`)
		out.Write(bytes.Join(rawBytes(tools), []byte(",\n")))
		out.WriteString("]}\n")
		return out.Bytes()
	}
	done := 0
	for i, t := range c.Tools {
		out.Write(c.data[done:t.offset])
		out.Write(tools[i])
		done = t.offset + len(t.Raw)
	}
	out.Write(c.data[done:])
	return out.Bytes()
}

func rawBytes(tools []json.RawMessage) [][]byte {
	all := make([][]byte, len(tools))
	for i, t := range tools {
		all[i] = t
	}
	return all
}

// A fixStats counts what a fix did.
type fixStats struct {
	closed, required, nulled int
	notes                    []Note
}

func (s *fixStats) fix(t *Tool, mode Mode) json.RawMessage {
	if _, deep := rawjson.DeeperThan(t.Raw, maxNesting); deep {
		return s.skip(t, fmt.Sprintf("nesting exceeds %d levels", maxNesting))
	}
	if t.read(); t.Odd != "" {
		return s.skip(t, t.Odd)
	}
	if t.Input = t.document("inputSchema"); t.Input == nil {
		return s.skip(t, "no readable schema")
	}
	if t.Input.Large {
		return s.skip(t, "schema too large to fix safely")
	}
	p := newPlan(t.Input, mode)
	fixed, err := p.patch(spaced(t.Raw)).apply(t.Raw)
	if err != nil {
		return s.skip(t, err.Error())
	}
	for _, left := range p.unfixed {
		s.notes = append(s.notes, Note{Subject: t.Subject(), Pointer: left.place.Where(), Message: left.reason})
	}
	s.closed += len(p.closes)
	s.nulled += len(p.nulls)
	for _, added := range p.require {
		s.required += len(added)
	}
	return fixed
}

// skip keeps a tool unchanged and notes the reason.
func (s *fixStats) skip(t *Tool, reason string) json.RawMessage {
	s.notes = append(s.notes, Note{Subject: t.Subject(), Message: "not fixed: " + reason})
	return t.Raw
}

// meaning is the note that describes what the fix changes for callers.
func (s *fixStats) meaning(mode Mode) Note {
	var what string
	closed := "closed " + count(s.closed, "object", "objects")
	required := "made " + count(s.required, "optional property", "optional properties") + " required"
	switch {
	case s.closed+s.required == 0:
		return Note{Message: string(mode) + ": nothing to fix"}
	case mode == Strict:
		what = fmt.Sprintf("strict: %s and %s; calls that omit a property or send an undeclared field are now rejected",
			closed, required)
	case mode == Closed:
		what = fmt.Sprintf("closed: %s; calls that send an undeclared field are now rejected, optional properties "+
			"stay optional", closed)
	case mode == Nullable:
		what = fmt.Sprintf("nullable: %s and %s, %d of which now allow null; calls must send null instead of "+
			"omitting a property, and the server must treat null as absent", closed, required, s.nulled)
	}
	return Note{Message: what}
}

// patch contains all changes of the plan to the tool's definition.
func (p *plan) patch(space bool) *patch {
	changes := &patch{}
	for _, place := range p.subschemas() {
		changes.add(p.requireEdits(place, space)...)
		changes.add(p.closeEdits(place)...)
	}
	for _, q := range p.nulls {
		addNull(changes, q, space)
	}
	return changes
}

// subschemas lists the places that change, in document order.
func (p *plan) subschemas() []*Subschema {
	var doc *Document
	for place := range p.closes {
		doc = place.Doc
	}
	for place := range p.require {
		doc = place.Doc
	}
	if doc == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(doc.Subschemas), func(place *Subschema) bool {
		return !p.closes[place] && len(p.require[place]) == 0
	})
}

func (p *plan) closeEdits(place *Subschema) []finding.Edit {
	if !p.closes[place] {
		return nil
	}
	return []finding.Edit{{Pointer: place.WhereKey("additionalProperties"), Value: json.RawMessage("false")}}
}

// requireEdits adds to a list of two or more in its existing layout; a shorter one on a single line shows no layout and
// is rewritten.
func (p *plan) requireEdits(place *Subschema, space bool) []finding.Edit {
	added := p.require[place]
	if len(added) == 0 {
		return nil
	}
	list, _ := place.Get("required")
	names, _ := schema.Elements(list)
	at := place.WhereKey("required")
	if len(names) > 1 || bytes.IndexByte(list, '\n') >= 0 {
		var edits []finding.Edit
		for _, q := range added {
			edits = append(edits, finding.Edit{Pointer: at + "/-", Value: jsonString(q.Name)})
		}
		return edits
	}
	for _, q := range added {
		names = append(names, jsonString(q.Name))
	}
	separator := ","
	if space {
		separator = ", "
	}
	whole := slices.Concat([]byte("["), bytes.Join(rawBytes(names), []byte(separator)), []byte("]"))
	return []finding.Edit{{Pointer: at, Value: whole}}
}

// spaced reports whether the document puts a space after its colons; new lists are then formatted the same way.
func spaced(raw []byte) bool { return bytes.Contains(raw, []byte(`": `)) }
