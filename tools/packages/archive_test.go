package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

var example = release{name: "@some-team/mcp-test", version: "1.2.3-beta.4", license: []byte("a license\n")}

// A file is one of an archive.
type file struct {
	mode os.FileMode
	text string
}

func tarFiles(t *testing.T, a archive) map[string]file {
	t.Helper()
	zipped, err := gzip.NewReader(bytes.NewReader(a.bytes))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]file{}
	r := tar.NewReader(zipped)
	for {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if !header.ModTime.Equal(epoch) {
			t.Errorf("%s: expected the time %v, got %v", header.Name, epoch, header.ModTime)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[header.Name] = file{header.FileInfo().Mode(), string(text)}
	}
}

func zipReader(t *testing.T, a archive) *zip.Reader {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(a.bytes), int64(len(a.bytes)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func zipFiles(t *testing.T, a archive) map[string]file {
	t.Helper()
	files := map[string]file{}
	for _, f := range zipReader(t, a).File {
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = file{f.Mode(), string(text)}
	}
	return files
}

func windows(t *testing.T) platform {
	t.Helper()
	p, err := platformOf("windows/amd64")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestNPMPlatformPackage(t *testing.T) {
	a, err := example.npmPlatform(windows(t), []byte("program"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "some-team-mcp-test-win32-x64-1.2.3-beta.4.tgz"; a.file != want {
		t.Errorf("file: expected %s, got %s", want, a.file)
	}
	files := tarFiles(t, a)
	if got := files["package/bin/mcptest.exe"]; got != (file{0o755, "program"}) {
		t.Errorf("package/bin/mcptest.exe: got %+v", got)
	}
	if files["package/LICENSE"].text != "a license\n" {
		t.Errorf("package/LICENSE: got %q", files["package/LICENSE"].text)
	}
	var m manifest
	if err := json.Unmarshal([]byte(files["package/package.json"].text), &m); err != nil {
		t.Fatal(err)
	}
	if m.Name != "@some-team/mcp-test-win32-x64" || m.Version != example.version || m.OS[0] != "win32" ||
		m.CPU[0] != "x64" ||
		!m.Unplugged || m.Bin != nil {
		t.Errorf("package.json: got %+v", m)
	}
}

func TestNPMLauncherPackage(t *testing.T) {
	a, err := example.npmLauncher()
	if err != nil {
		t.Fatal(err)
	}
	files := tarFiles(t, a)
	var m manifest
	if err := json.Unmarshal([]byte(files["package/package.json"].text), &m); err != nil {
		t.Fatal(err)
	}
	if m.Name != example.name || m.Bin["mcptest"] != "bin/mcptest.js" || len(m.Optional) != len(platforms) ||
		m.Optional["@some-team/mcp-test-darwin-arm64"] != example.version {
		t.Errorf("package.json: got %+v", m)
	}
	if got := files["package/bin/mcptest.js"]; got.mode != 0o755 ||
		!strings.HasPrefix(got.text, "#!/usr/bin/env node\n") {
		t.Errorf("package/bin/mcptest.js: got %+v", got)
	}
	if got := files["package/README.md"].text; !strings.Contains(got, "npx @some-team/mcp-test check demo") {
		t.Errorf("package/README.md: expected the name of the package, got %s", got)
	}
}

func TestWheel(t *testing.T) {
	r := release{name: "mcp-test", version: "1.2.3-beta.4", license: []byte("a license\n")}
	linux, err := platformOf("linux/arm64")
	if err != nil {
		t.Fatal(err)
	}
	a, err := r.wheel(linux, []byte("program"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "mcp_test-1.2.3b4-py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64.whl"; a.file != want {
		t.Errorf("file: expected %s, got %s", want, a.file)
	}
	files := zipFiles(t, a)
	if got := files["mcp_test-1.2.3b4.data/scripts/mcptest"]; got != (file{0o755, "program"}) {
		t.Errorf("scripts/mcptest: got %+v", got)
	}
	const info = "mcp_test-1.2.3b4.dist-info/"
	if got := files[info+"METADATA"].text; !strings.Contains(got, "\nName: mcp-test\nVersion: 1.2.3b4\n") {
		t.Errorf("METADATA: got %s", got)
	}
	if got := files[info+"WHEEL"].text; strings.Count(got, "\nTag: py3-none-") != 3 {
		t.Errorf("WHEEL: expected one tag per line, got %s", got)
	}
	record := ""
	for name := range strings.Lines(files[info+"RECORD"].text) {
		name, _, _ = strings.Cut(name, ",")
		if name == info+"RECORD" {
			record += name + ",,\n"
			continue
		}
		sum := sha256.Sum256([]byte(files[name].text))
		record += fmt.Sprintf("%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]),
			len(files[name].text))
	}
	if got := files[info+"RECORD"].text; got != record || strings.Count(got, "\n") != len(files) {
		t.Errorf("RECORD: expected\n%sgot\n%s", record, got)
	}
}

// The same input gives the same bytes, so that anyone can make a package again and compare.
func TestArchivesAreReproducible(t *testing.T) {
	linux, err := platformOf("linux/amd64")
	if err != nil {
		t.Fatal(err)
	}
	r := release{name: "mcptest", version: "1.2.3", license: []byte("a license\n")}
	packed := func() (sums []string) {
		npm, err := r.npmPlatform(linux, []byte("program"))
		if err != nil {
			t.Fatal(err)
		}
		wheel, err := r.wheel(linux, []byte("program"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range zipReader(t, wheel).File {
			if !f.Modified.Equal(epoch) {
				t.Errorf("%s: expected the time %v, got %v", f.Name, epoch, f.Modified)
			}
		}
		return []string{fmt.Sprintf("%x", sha256.Sum256(npm.bytes)), fmt.Sprintf("%x", sha256.Sum256(wheel.bytes))}
	}
	if first, second := packed(), packed(); !slices.Equal(first, second) {
		t.Errorf("expected the same bytes twice, got SHA-256 %v and %v", first, second)
	}
}

func TestPythonVersion(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.3": "1.2.3", "1.2.3-rc.1": "1.2.3rc1", "0.10.0-alpha.2": "0.10.0a2", "1.0.0-beta3": "1.0.0b3",
		"0.0.1-next": "0.0.1.dev0", "1.2": "", "v1.2.3": "", "1.2.3-preview.1": "", "1.2.3+build": "",
	} {
		got, err := pythonVersion(version)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%s: expected %q, got %q, %v", version, want, got, err)
		}
	}
}
