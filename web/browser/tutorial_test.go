package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The tutorial shows the inspector with its second bug. With -update the picture is taken again, of its server.
func TestTutorialPicture(t *testing.T) {
	if *update {
		pictureTutorial(t)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "tutorials", "go.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"light", "dark"} {
		path := picture("tutorial", scheme)
		if info, err := os.Stat(path); err != nil || info.Size() > heaviest {
			t.Errorf("%s: %v, want a picture of at most %d bytes", path, err, heaviest)
		}
		if !strings.Contains(string(text), "img/"+filepath.Base(path)) {
			t.Errorf("docs/tutorials/go.md does not show %s", filepath.Base(path))
		}
	}
}

func pictureTutorial(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "shelf"),
		"../../examples/tutorial").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	p := openView(t, "Tools", "--", "shelf")
	p.size(1280, 720)
	p.ran("find_books", func(page *toolPage) { page.field("query", "sea") })
	p.there("[data-testid=payload]")
	p.fill(`[aria-label="Filter tools"]`, "")
	p.shoot("tutorial")
}
