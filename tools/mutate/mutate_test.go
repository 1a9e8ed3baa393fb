package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A package whose tests notice some changes and not others.
const (
	code = `package p

func Sign(n int) int {
	if n > 0 {
		return 1
	}
	return 0
}

func Forgotten(n int) bool { return n > 0 }
`
	tests = `package p

import "testing"

func TestSign(t *testing.T) {
	if Sign(1) != 1 || Sign(0) != 0 {
		t.Fatal("wrong")
	}
}
`
	others = `package q

import (
	"p"
	"testing"
)

func TestForgotten(t *testing.T) {
	if p.Forgotten(0) {
		t.Fatal("wrong")
	}
}
`
)

func TestMeasure(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("skipped: needs the go command")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "q"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module p\n\ngo 1.26\n", "p.go": code, "p_test.go": tests,
		"q/q_test.go": others} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	got, err := measure(".", 100, 1, time.Minute)
	if want := (count{tried: 3, noticed: 2}); err != nil || got != want {
		t.Errorf("%+v (%v), expected %+v: the boundary and the condition of Sign are noticed, Forgotten is not", got,
			err, want)
	}
	got, err = measure(".,./q", 100, 1, time.Minute)
	if want := (count{tried: 3, noticed: 3}); err != nil || got != want {
		t.Errorf("with the tests of another package: %+v (%v), expected %+v", got, err, want)
	}
	if err := run([]string{"."}, 100, 1, 85, time.Minute); err == nil {
		t.Error("66 % passed a floor of 85")
	}
}
