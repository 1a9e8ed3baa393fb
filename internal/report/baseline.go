package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/files"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// A Baseline is a list of known findings that are accepted for now. It is sorted, so that its file changes only where
// the findings do.
type Baseline struct {
	entries []Entry
}

// An Entry identifies a finding across runs. The message is not included, because it may contain values.
type Entry struct {
	Rule    string `json:"rule"`
	Subject string `json:"subject,omitempty"`
	Pointer string `json:"pointer,omitempty"`
}

// String returns the entry in one line.
func (e Entry) String() string {
	return strings.Join(strings.Fields(e.Rule+" "+e.Subject+" "+e.Pointer), " ")
}

func (e Entry) hash() string {
	text, _ := json.Marshal(e) // marshaling strings never fails
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

func entryOf(f finding.Finding) Entry {
	return Entry{Rule: f.Rule, Subject: f.Where.Subject, Pointer: f.Where.Pointer}
}

// Applied is the effect of a baseline on a report.
type Applied struct {
	Suppressed int     `json:"suppressed"`
	Stale      []Entry `json:"stale,omitempty"` // entries whose rule ran without such a finding
}

// String returns one line for display; empty if the baseline had no effect.
func (a *Applied) String() string {
	if a == nil || a.Suppressed == 0 && len(a.Stale) == 0 {
		return ""
	}
	line := counted(a.Suppressed, "known finding", "known findings") + " suppressed by the baseline"
	if len(a.Stale) > 0 {
		line += "; " + counted(len(a.Stale), "baseline entry is", "baseline entries are") + " stale"
	}
	return line
}

func (a *Applied) scrubbed(scrub func(string) string) *Applied {
	if a == nil || scrub == nil {
		return a
	}
	clean := &Applied{Suppressed: a.Suppressed}
	for _, entry := range a.Stale {
		clean.Stale = append(clean.Stale, Entry{Rule: scrub(entry.Rule), Subject: scrub(entry.Subject),
			Pointer: scrub(entry.Pointer)})
	}
	return clean
}

type baselineFile struct {
	Version  int     `json:"version"`
	Findings []Entry `json:"findings"`
}

// NewBaseline accepts all findings of a report.
func NewBaseline(r *finding.Report) *Baseline {
	b := &Baseline{}
	for _, f := range r.Findings() {
		b.entries = append(b.entries, entryOf(f))
	}
	b.sort()
	return b
}

// Entries lists the accepted findings.
func (b *Baseline) Entries() []Entry { return slices.Clone(b.entries) }

func (b *Baseline) sort() {
	slices.SortFunc(b.entries, compareEntries)
	b.entries = slices.Compact(b.entries)
}

func compareEntries(a, b Entry) int {
	return cmp.Or(strings.Compare(a.Rule, b.Rule), strings.Compare(a.Subject, b.Subject),
		strings.Compare(a.Pointer, b.Pointer))
}

// ReadBaseline reads a file written by Write.
func ReadBaseline(path string) (*Baseline, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		var file *fs.PathError
		if errors.As(err, &file) {
			return nil, fmt.Errorf("cannot read the baseline %s: %w", path, file.Err)
		}
		return nil, fmt.Errorf("cannot read the baseline: %w", err)
	}
	b, err := parseBaseline(text)
	if err != nil {
		return nil, fmt.Errorf("read baseline %s: %w", path, err)
	}
	return b, nil
}

func parseBaseline(text []byte) (*Baseline, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var file baselineFile
	if err := decoder.Decode(&file); err != nil {
		return nil, wrongBaseline(text, err, decoder.InputOffset())
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("unexpected data after the end")
	}
	if file.Version != 1 {
		return nil, fmt.Errorf("version %d, expected 1", file.Version)
	}
	b := &Baseline{entries: file.Findings}
	b.sort()
	return b, nil
}

// wrongBaseline rewords an error of the JSON decoder, whose messages refer to Go types.
func wrongBaseline(text []byte, err error, offset int64) error {
	const want = `not a baseline, expected {"version": 1, "findings": [...]} as written by --write-baseline`
	problem := want
	var syntax *json.SyntaxError
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return errors.New("the file is empty")
	case errors.As(err, &syntax):
		problem, offset = "not JSON: "+syntax.Error(), syntax.Offset
	case errors.Is(err, io.ErrUnexpectedEOF):
		problem, offset = "not JSON: unexpected end of file", int64(len(text))
	}
	line := bytes.Count(text[:min(int(offset), len(text))], []byte("\n")) + 1
	return fmt.Errorf("line %d: %s", line, problem)
}

// Write replaces the file atomically and keeps its mode. A file that is not a baseline is not overwritten, so that a
// catalog passed by mistake is not lost.
func (b *Baseline) Write(path string) error {
	var text bytes.Buffer
	if err := encode(&text, baselineFile{Version: 1, Findings: append([]Entry{}, b.entries...)}); err != nil {
		return fmt.Errorf("write baseline: %w", err)
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
		if err := replaceable(path); err != nil {
			return err
		}
	}
	if err := files.Replace(path, text.Bytes(), mode); err != nil {
		return fmt.Errorf("write baseline: %w", err)
	}
	return nil
}

// replaceable rejects a file that is not a baseline. An empty file is accepted.
func replaceable(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("write baseline: %w", err)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	if _, err := parseBaseline(text); err != nil {
		return fmt.Errorf("write baseline: %s is not a baseline and was not overwritten: %w", path, err)
	}
	return nil
}

// Filter removes the accepted findings from a report. An entry is stale only if its rule ran.
func (b *Baseline) Filter(r *finding.Report) *Applied {
	applied := &Applied{}
	known := make(map[Entry]bool, len(b.entries)) // true once it occurred
	for _, entry := range b.entries {
		known[entry] = false
	}
	for i := range r.Results {
		r.Results[i].Findings = slices.DeleteFunc(slices.Clone(r.Results[i].Findings), func(f finding.Finding) bool {
			entry := entryOf(f)
			_, accepted := known[entry]
			if accepted {
				known[entry] = true
				applied.Suppressed++
			}
			return accepted
		})
	}
	for _, entry := range b.entries {
		if !known[entry] && ran(r, entry.Rule) {
			applied.Stale = append(applied.Stale, entry)
		}
	}
	return applied
}

func ran(r *finding.Report, rule string) bool {
	return slices.ContainsFunc(r.Rules, func(known finding.Rule) bool { return known.ID == rule })
}
