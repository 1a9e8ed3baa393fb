package change

import (
	"strconv"
	"strings"
)

// A Semver is what the differences ask of a version number, and what was done.
type Semver struct {
	Suggested string `json:"suggested"`          // major, minor, patch or none
	Released  string `json:"released,omitempty"` // the step between the two versions, if both follow semver
}

// suggest derives the step from the most severe difference. Texts and generators need a patch, since no call changes.
func suggest(d *Diff) Semver {
	s := Semver{Suggested: "none", Released: stepBetween(d.Old.Version, d.New.Version)}
	steps := map[string]int{"none": 0, "patch": 1, "minor": 2, "major": 3}
	for _, item := range d.Items {
		for _, c := range item.Changes {
			if step := stepOf(c); steps[step] > steps[s.Suggested] {
				s.Suggested = step
			}
		}
	}
	return s
}

func stepOf(c Change) string {
	switch c.Verdict {
	case Breaking, Unknown:
		return "major"
	case Compatible:
		return "minor"
	}
	return "patch"
}

// stepBetween is the step between two versions; empty if one of them is not of the form 1.2.3.
func stepBetween(before, after string) string {
	old, ok := numbersOf(before)
	now, ok2 := numbersOf(after)
	if !ok || !ok2 || old[0] >= 2000 || now[0] >= 2000 { // calendar versions make no promise
		return ""
	}
	for i, step := range []string{"major", "minor", "patch"} {
		if now[i] != old[i] {
			return step
		}
	}
	return "none"
}

func numbersOf(version string) ([3]int, bool) {
	var found [3]int
	core, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	parts := strings.Split(core, ".")
	if len(parts) != 3 {
		return found, false
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil {
			return found, false
		}
		found[i] = n
	}
	return found, true
}
