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

// maxWord is the maximum length of a mistyped word.
const maxWord = 100

// Nearest returns the known word that was probably meant; empty if none is close.
func Nearest(word string, known []string) string {
	if len(word) > maxWord {
		return "" // not a typo, and expensive to compare
	}
	best, bestDistance := "", len(word)/3+2
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, replace or swap with their neighbor.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
