package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// installScript is what the action and the pre-commit hook download a release with.
const installScript = ".github/actions/mcptest/install.sh"

// needScript returns the folder of the repository, and skips the test without bash and curl.
func needScript(t *testing.T) string {
	t.Helper()
	needInstall(t, "bash", "curl", "git", "tar")
	dir, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// releases serves the release 1.2.3 with a program that prints its arguments. change may spoil a file.
func releases(t *testing.T, change func(name string, data []byte) []byte) string {
	t.Helper()
	p := here(t)
	name := "mcptest_1.2.3_" + strings.ReplaceAll(p.target, "/", "_") + ".tar.gz"
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for file, text := range map[string]string{"mcptest": "#!/bin/sh\necho \"mcptest 1.2.3: $*\"\n", "README.md": "x"} {
		if err := w.WriteHeader(&tar.Header{Name: file, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	_ = w.Close()
	_ = zipped.Close()
	list := fmt.Sprintf("%x  mcptest_1.2.3_plan9_amd64.tar.gz\n%x  %s\n%x  %s.sbom.json\n",
		sha256.Sum256(nil), sha256.Sum256(b.Bytes()), name, sha256.Sum256(nil), name)
	files := map[string][]byte{name: b.Bytes(), "checksums.txt": []byte(list)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		folder, file := filepath.Split(r.URL.Path)
		data, ok := files[file]
		if !ok || folder != "/latest/download/" && folder != "/download/v1.2.3/" {
			http.NotFound(w, r)
			return
		}
		if change != nil {
			data = change(file, data)
		}
		_, _ = w.Write(data)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestInstallScript(t *testing.T) {
	repository := needScript(t)
	t.Parallel()
	spoiled := func(name string, data []byte) []byte {
		if name != "checksums.txt" {
			data = append(bytes.Clone(data), 0)
		}
		return data
	}
	none := func(name string, data []byte) []byte {
		return bytes.ReplaceAll(data, []byte("_1.2.3_"), []byte("_1.2.3_old"))
	}
	for _, c := range []struct {
		version string
		change  func(string, []byte) []byte
		problem string
	}{
		{"1.2.3", nil, ""},
		{"v1.2.3", nil, ""},
		{"latest", nil, ""},
		{"9.9.9", nil, "cannot download URL/download/v9.9.9/checksums.txt\nhint: check that release 9.9.9 exists"},
		{"1.2.3", spoiled, ".tar.gz: expected SHA-256 "},
		{"1.2.3", none, "release 1.2.3 has no archive for " + here(t).target},
	} {
		url, dir := releases(t, c.change), t.TempDir()
		cmd := exec.Command("bash", filepath.Join(repository, installScript), c.version, filepath.Join(dir, "a b"))
		cmd.Env = append(os.Environ(), "MCPTEST_RELEASES="+url, "no_proxy=127.0.0.1", "TMPDIR="+dir)
		out, err := cmd.CombinedOutput()
		said := strings.ReplaceAll(string(out), url, "URL")
		installed, _ := exec.Command(filepath.Join(dir, "a b", "mcptest"), "x").Output()
		switch {
		case c.problem == "" && (err != nil || string(installed) != "mcptest 1.2.3: x\n"):
			t.Errorf("%s: expected a program, got %q, %v\n%s", c.version, installed, err, said)
		case c.problem != "" && (err == nil || !strings.Contains(said, c.problem) || installed != nil):
			t.Errorf("%s: expected %q, got %q, %v\n%s", c.version, c.problem, installed, err, said)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "tmp*")); left != nil {
			t.Errorf("%s: expected no temporary files, got %v", c.version, left)
		}
	}
}

// The hook runs in a checkout without tags, inside a Git hook of the user's repository, and downloads once.
func TestPreCommitHook(t *testing.T) {
	repository := needScript(t)
	t.Parallel()
	origin, clone := filepath.Join(t.TempDir(), "origin"), filepath.Join(t.TempDir(), "clone")
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@host.example"},
			args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	for _, file := range []string{"tools/pre-commit.sh", installScript} {
		data, err := os.ReadFile(filepath.Join(repository, file))
		if err == nil {
			err = os.MkdirAll(filepath.Join(origin, filepath.Dir(file)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(origin, file), data, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	git(origin, "init", "--quiet")
	git(origin, "add", ".")
	git(origin, "commit", "--quiet", "--message", "release")
	git(origin, "tag", "--annotate", "--message", "release", "v1.2.3")
	git(filepath.Dir(clone), "clone", "--quiet", "--no-tags", "--depth", "1", "file://"+origin, clone)

	url := releases(t, nil)
	hook := func(url string) (string, error) {
		cmd := exec.Command(filepath.Join(clone, "tools", "pre-commit.sh"), "suite", "validate", "a b.yaml")
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "MCPTEST_RELEASES="+url, "no_proxy=127.0.0.1", "GIT_DIR="+cmd.Dir,
			"GIT_INDEX_FILE=x")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	const want = "mcptest 1.2.3: suite validate a b.yaml\n"
	for _, from := range []string{url, "http://127.0.0.1:1"} { // the second run downloads nothing
		if said, err := hook(from); err != nil || said != want {
			t.Errorf("expected %q, got %q, %v", want, said, err)
		}
	}
	git(clone, "clean", "--quiet", "-dfx")
	git(clone, "commit", "--quiet", "--allow-empty", "--message", "after the release")
	if said, err := hook(url); err == nil || !strings.HasPrefix(said, "mcptest: this commit is not a release\n") {
		t.Errorf("between releases: got %q, %v", said, err)
	}
}
