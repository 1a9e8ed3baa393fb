package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	odd     = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinks follows the links of the pages to files and headings. Those to the web are for people.
func TestLinks(t *testing.T) {
	all := pages(t)
	for _, name := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"} {
		all = append(all, filepath.Join(root, name))
	}
	for _, page := range all {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			target := m[1] + m[2]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			file, anchor, _ := strings.Cut(target, "#")
			path := page
			if file != "" {
				path = filepath.Join(filepath.Dir(page), file)
			}
			linked, err := os.ReadFile(path)
			if info, statErr := os.Stat(path); statErr == nil && info.IsDir() {
				err = nil
			}
			if err != nil {
				t.Errorf("%s: a link leads nowhere: %s", strings.TrimPrefix(page, root+"/"), target)
			} else if anchor != "" && !anchors(linked)[anchor] {
				t.Errorf("%s: %s has no heading #%s", strings.TrimPrefix(page, root+"/"), file, anchor)
			}
		}
	}
}

// anchors are the names by which headings are linked to, as GitHub makes them.
func anchors(page []byte) map[string]bool {
	all := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(string(page), -1) {
		name := strings.ReplaceAll(odd.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")
		all[name] = true
	}
	return all
}
