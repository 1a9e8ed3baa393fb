package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The table about the Go SDK's server has exactly the rules that are found on it.
func TestTableOfTheSDK(t *testing.T) {
	page, err := os.ReadFile("conform.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "\n## What the Go SDK's server does differently\n")
	if !ok {
		t.Fatal("conform.md has no such section")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	var told []string
	family := ""
	for _, row := range regexp.MustCompile(`(?m)^\| ([A-Z]+-\d{3}[^|]*)\|`).FindAllStringSubmatch(table, -1) {
		for _, rule := range regexp.MustCompile(`([A-Z]*)-(\d{3})`).FindAllStringSubmatch(row[1], -1) {
			if rule[1] != "" {
				family = rule[1]
			}
			told = append(told, family+"-"+rule[2])
		}
	}
	slices.Sort(told)
	if found := foundOnTheSDK(t); !slices.Equal(told, found) {
		t.Errorf("the table has\n%v\nfound is\n%v", told, found)
	}
}

// foundOnTheSDK lists the rules in the goldens of its server.
func foundOnTheSDK(t *testing.T) []string {
	files, err := filepath.Glob("../testservers/npm/testdata/conform/sdk-*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d goldens (%v)", len(files), err)
	}
	var rules []string
	for _, file := range files {
		golden, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, regexp.MustCompile(`(?m)^[A-Z]+-\d{3}`).FindAllString(string(golden), -1)...)
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}
