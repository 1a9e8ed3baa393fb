package document

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestManyProblems wants the first ones and how many there are.
func TestManyProblems(t *testing.T) {
	var all Problems
	for i := range 500 {
		all = append(all, Problem{File: "a.yaml", Line: i + 1, Column: 1, Message: "wrong"})
	}
	for n, want := range map[int]string{1: "a.yaml:1:1: wrong", 20: "a.yaml:20:1: wrong", 21: "… and 1 more",
		500: "… and 480 more"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			lines := strings.Split(all[:n].Error(), "\n")
			if got := lines[len(lines)-1]; got != want || len(lines) != min(n, 21) {
				t.Errorf("%d lines, the last %q; want at most 21, the last %q", len(lines), got, want)
			}
		})
	}
}

// TestCorrected corrects several words on a line, and leaves out what is not clear.
func TestCorrected(t *testing.T) {
	text := "tools:\n  - {tol: é, agrs: {}}\n  - {tool: x, whatever: 1}\n"
	got := Problems{{Line: 2, Column: 6, Old: "tol", New: "tool"}, {Line: 2, Column: 14, Old: "agrs", New: "args"},
		{Line: 3, Column: 15, Message: "unknown key"}, {Line: 3, Column: 2, Old: "elsewhere", New: "x"},
		{Line: 9, Column: 1, Old: "tol", New: "tool"}}.Corrected(text)
	if want := []string{"2:   - {tool: é, args: {}}"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
