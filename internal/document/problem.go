package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Problem is one fault of a file.
type Problem struct {
	File         string `json:"file"`
	Line, Column int
	Message      string `json:"message"`
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
