package ready

import (
	"bytes"
	"encoding/json"
	"io/fs"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Fixed is a file of the folder with what can be fixed without guessing.
type Fixed struct {
	File   string   `json:"file"`
	Notes  []string `json:"notes"` // what was changed, and why
	Before string   `json:"-"`
	After  string   `json:"content"`
}

// A candidate is a change that may remove findings.
type candidate struct {
	file, note string
	edits      []finding.Edit
	appended   string // to a file that is not JSON
}

// Fix returns the files that change. A change is kept only if there are fewer findings with it, and no new ones.
func Fix(opts Options) ([]Fixed, error) {
	base := opts.Folder
	changed := overlay{base, map[string][]byte{}}
	opts.Folder = changed
	r := &run{opts: &opts}
	before, err := findingsOf(opts)
	if err != nil {
		return nil, err
	}
	candidates, err := r.candidates()
	if err != nil {
		return nil, err
	}
	notes := map[string][]string{}
	var order []string
	for _, c := range candidates {
		old, err := r.content(c.file)
		if err != nil {
			continue
		}
		changed.files[c.file] = c.apply(old)
		after, err := findingsOf(opts)
		if err != nil || !fewer(after, before) {
			changed.files[c.file] = old
			continue
		}
		if before = after; notes[c.file] == nil {
			order = append(order, c.file)
		}
		notes[c.file] = append(notes[c.file], c.note)
	}
	var all []Fixed
	for _, name := range order {
		old, err := fs.ReadFile(base, name)
		if err != nil {
			return nil, err
		}
		all = append(all, Fixed{name, notes[name], string(old), string(changed.files[name])})
	}
	return all, nil
}

// apply returns the changed content; the old content if the change does not apply.
func (c candidate) apply(old []byte) []byte {
	if c.appended != "" {
		return append(append([]byte{}, old...), c.appended...)
	}
	if changed, err := schema.Apply(old, c.edits); err == nil {
		return changed
	}
	return old
}

// findingsOf returns how often each rule reports something.
func findingsOf(opts Options) (map[string]int, error) {
	out, err := Run(opts)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, result := range out.Report.Results {
		counts[result.Rule] = len(result.Findings)
	}
	return counts, nil
}

// fewer reports whether no rule has more findings, and one has fewer.
func fewer(after, before map[string]int) bool {
	less := false
	for rule, n := range after {
		if n > before[rule] {
			return false
		}
		less = less || n < before[rule]
	}
	return less
}

// An overlay is a folder with some of its files replaced.
type overlay struct {
	fs.FS
	files map[string][]byte
}

// Open opens the replaced file, or the one below it.
func (o overlay) Open(name string) (fs.File, error) {
	below, err := o.FS.Open(name)
	if content, ok := o.files[name]; ok && err == nil {
		return replacedFile{below, bytes.NewReader(content)}, nil
	}
	return below, err
}

// A replacedFile is a file with another content.
type replacedFile struct {
	fs.File
	content *bytes.Reader
}

// Read reads the other content.
func (f replacedFile) Read(p []byte) (int, error) { return f.content.Read(p) }

func setText(pointer, value string) finding.Edit {
	raw, _ := json.Marshal(value)
	return finding.Edit{Pointer: pointer, Value: raw}
}
