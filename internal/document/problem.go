package document

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Problem is one fault of a file.
type Problem struct {
	File         string `json:"file"`
	Line, Column int
	Message      string `json:"message"`

	Key      string `json:"-"` // the key that is unknown, if that is the problem
	Old, New string `json:"-"` // the word at the position, and the word that was meant; empty if that is not clear
}

// Error returns the location and the message.
func (p Problem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Problems is a list of problems, in file order.
type Problems []Problem

// maxListed is the maximum number of problems listed: a file of another kind has hundreds, and the first ones are
// enough to see that.
const maxListed = 20

// Error lists them, one per line.
func (ps Problems) Error() string {
	var lines []string
	for _, p := range ps[:min(len(ps), maxListed)] {
		lines = append(lines, p.Error())
	}
	if more := len(ps) - maxListed; more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// Err is nil if there are none.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// Sort sorts problems by file and position.
func (ps Problems) Sort() {
	var files []string
	for _, p := range ps {
		if !slices.Contains(files, p.File) {
			files = append(files, p.File)
		}
	}
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(slices.Index(files, a.File)-slices.Index(files, b.File), a.Line-b.Line, a.Column-b.Column)
	})
}

// Corrected returns the lines of a text in which problems have a clear correction, corrected and with their numbers.
func (ps Problems) Corrected(text string) []string {
	lines, changed := strings.Split(text, "\n"), map[int]bool{}
	for _, p := range slices.Backward(ps) { // the last ones first, so that the positions stay valid
		if p.Old == "" || p.Line < 1 || p.Line > len(lines) || p.Column < 1 {
			continue
		}
		line := []rune(lines[p.Line-1])
		if at := p.Column - 1; at < len(line) && strings.HasPrefix(string(line[at:]), p.Old) {
			lines[p.Line-1] = string(line[:at]) + p.New + strings.TrimPrefix(string(line[at:]), p.Old)
			changed[p.Line] = true
		}
	}
	var all []string
	for _, number := range slices.Sorted(maps.Keys(changed)) {
		all = append(all, fmt.Sprintf("%d: %s", number, lines[number-1]))
	}
	return all
}
