package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

var _ = cli.Main // what is packed is part of this program, so that go test knows when it has changed

// root is the folder of the repository.
var root = filepath.Join("..", "..")

// madeDir is where the packages of this test run are made.
var madeDir string

func TestMain(m *testing.M) {
	if mode := os.Getenv(standIn); mode != "" {
		os.Exit(beStandIn(mode))
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "mcptest-packages")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		madeDir = dir
		return m.Run()
	}())
}

// releaseConfig is the part of .goreleaser.yaml that concerns packages.
type releaseConfig struct {
	Env    []string
	Builds []struct{ Goos, Goarch []string }
}

func readReleaseConfig(t testing.TB) releaseConfig {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var c releaseConfig
	if err := yaml.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// packageName is the one variable that holds the name of the packages.
func packageName(t testing.TB) string {
	t.Helper()
	for _, entry := range readReleaseConfig(t).Env {
		if name, ok := strings.CutPrefix(entry, "PACKAGE="); ok {
			return name
		}
	}
	t.Fatal(".goreleaser.yaml: env has no PACKAGE")
	return ""
}

// A made is a folder with finished packages.
type made struct {
	dir     string
	name    string
	version string
}

// here is the platform that the tests run on.
func here(t testing.TB) platform {
	t.Helper()
	p, err := platformOf(runtime.GOOS + "/" + runtime.GOARCH)
	if err != nil {
		t.Skip(err)
	}
	return p
}

// packages returns the packages that are tried: those in the folder that MCPTEST_PACKAGES names, which a release has
// made, or else those of this platform, made now from a binary that is built like one of a release.
func packages(t testing.TB) made {
	t.Helper()
	name := packageName(t)
	if dir := os.Getenv("MCPTEST_PACKAGES"); dir != "" {
		if !filepath.IsAbs(dir) {
			var err error
			if dir, err = filepath.Abs(filepath.Join(root, dir)); err != nil { // installers run in other folders
				t.Fatal(err)
			}
		}
		return made{dir, name, versionIn(t, dir, name)}
	}
	if err := makeOnce(name, here(t)); err != nil {
		t.Fatal(err)
	}
	return made{madeDir, name, madeVersion}
}

const madeVersion = "0.1.0-rc.1"

// makeOnce makes the packages of this platform. Others get packages without a program, so that npm has to choose.
var makeOnce = func() func(string, platform) error {
	var once sync.Once
	var err error
	return func(name string, p platform) error {
		once.Do(func() { err = makePackages(name, p) })
		return err
	}
}()

func makePackages(name string, here platform) error {
	binary := filepath.Join(madeDir, "built", here.executable())
	build := exec.Command("go", "build", "-buildvcs=false", "-o", binary, "-ldflags",
		"-s -w -X github.com/mcptest-dev/mcptest/internal/surface/cli.stampedVersion="+madeVersion, "./cmd/mcptest")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	license := filepath.Join(root, "LICENSE")
	r := release{name: name, version: madeVersion, plugins: filepath.Join(root, "plugins")}
	if err := run(r, madeDir, "", "", license); err != nil {
		return err
	}
	for _, p := range platforms {
		program := binary
		if p.target != here.target {
			program = license
		}
		if err := run(r, madeDir, p.target, program, license); err != nil {
			return err
		}
	}
	return nil
}

// versionIn finds the version in the file name of the npm package that has no platform.
func versionIn(t testing.TB, dir, name string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, npmFile(name, "[0-9]*")))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: expected one %s, got %v", dir, npmFile(name, "VERSION"), files)
	}
	stem := strings.TrimSuffix(npmFile(name, ""), ".tgz")
	return strings.TrimSuffix(strings.TrimPrefix(filepath.Base(files[0]), stem), ".tgz")
}

// binary is the name of the npm package with the binary of this platform.
func (m made) binary(t testing.TB) string {
	t.Helper()
	return release{name: m.name}.npmName(here(t))
}

// path is the path of an npm package, by its name.
func (m made) path(name string) string { return filepath.Join(m.dir, npmFile(name, m.version)) }

// Every platform that a release builds has packages, and no other has.
func TestPlatformsAreThoseOfARelease(t *testing.T) {
	var built, packed []string
	for _, b := range readReleaseConfig(t).Builds {
		for _, goos := range b.Goos {
			for _, goarch := range b.Goarch {
				built = append(built, goos+"/"+goarch)
			}
		}
	}
	for _, p := range platforms {
		packed = append(packed, p.target)
	}
	slices.Sort(built)
	slices.Sort(packed)
	if !slices.Equal(built, packed) {
		t.Errorf("packages for %v, expected %v", packed, built)
	}
}

// The largest package stays small enough for registries and for users, and the log names them all.
func TestSizes(t *testing.T) {
	needInstall(t)
	const limit = 25_000_000
	m := packages(t)
	files, err := filepath.Glob(filepath.Join(m.dir, "*.*"))
	if err != nil || len(files) != 3+2*len(platforms) {
		t.Fatalf("expected a launcher, two plugins, and two packages per platform, got %d files in %s, %v", len(files), m.dir, err)
	}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%9d bytes  %s", info.Size(), filepath.Base(file))
		if info.Size() > limit {
			t.Errorf("%s: expected at most %d bytes, got %d", filepath.Base(file), limit, info.Size())
		}
	}
}

// The name of the packages is a variable; what the documentation tells users to type has its value.
func TestDocumentationNamesThePackage(t *testing.T) {
	name := packageName(t)
	typed := regexp.MustCompile("(?:npx(?: --yes)?|uvx|pipx run|pipx install|uv tool install|npm install --save-dev|" +
		"npm install --global|brew install --cask mcptest-dev/tap/|apt install \\./|dnf install \\./)[ " +
		"]?([@a-z][a-z/-]*[a-z])")
	count := 0
	for _, file := range []string{"README.md", "docs/howto/install.md", "docs/howto/ci.md"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range typed.FindAllStringSubmatch(string(text), -1) {
			count++
			if m[1] != name {
				t.Errorf("%s: %q: expected the package %q, got %q", file, m[0], name, m[1])
			}
		}
	}
	if count < 12 {
		t.Errorf("expected at least 12 commands that name the package, got %d", count)
	}
}
