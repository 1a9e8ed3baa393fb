package config

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A repository that another user created above the working directory is not part of the project.
func TestRepositoryOfAnotherUser(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "work")
	write(t, filepath.Join(root, ".git", "config"), "")
	write(t, filepath.Join(dir, "x"), "")
	sys := System{GOOS: "linux", Home: filepath.Join(root, "home"), Dir: dir}
	own := func(path string, uid int) {
		t.Helper()
		if err := os.Lchown(path, uid, -1); err != nil {
			t.Skipf("skipped: changing owners requires root: %v", err)
		}
	}
	if got := projectDirs(sys); !slices.Equal(got, []string{dir, root}) {
		t.Errorf("own repository: %q; expected the folder and the root of the repository", got)
	}
	own(filepath.Join(root, ".git"), 12345)
	if got := projectDirs(sys); !slices.Equal(got, []string{dir}) {
		t.Errorf("repository of another user: %q; expected the folder alone", got)
	}
	own(dir, 12345)
	if got := projectDirs(sys); !slices.Equal(got, []string{dir, root}) {
		t.Errorf("folder and repository of one other user: %q; expected both", got)
	}
}
