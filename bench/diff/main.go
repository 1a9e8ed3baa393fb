// Command diff measures the verdicts of mcptest and of mcp-diff (PyPI) on the releases of real servers, with one truth
// for both: a Python validator that accepts a call under the old schema and rejects it under the new one.
//
//	go run ./bench/diff FILE          print the table; FILE has one state of a server per line
//
// It needs python3 with venv; the packages go into a folder that is removed.
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
)

//go:embed judge.py
var judge []byte

// A state is what a server offers in one version.
type state struct {
	Server, Version string
	Tools           []json.RawMessage
}

// A pair is two neighboring states with the verdicts of mcptest.
type pair struct {
	Old      []json.RawMessage `json:"old"`
	New      []json.RawMessage `json:"new"`
	Verdicts []change.Item     `json:"verdicts"`
	Seconds  float64           `json:"seconds"`
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("diff: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./bench/diff FILE")
	}
	if err := run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(file string) error {
	pairs, err := compare(file)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mcptest-diff-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	python := filepath.Join(dir, "venv", "bin", "python")
	input, err := json.Marshal(pairs)
	if err != nil {
		return err
	}
	script := filepath.Join(dir, "judge.py")
	if err := errors.Join(os.WriteFile(script, judge, 0o600),
		os.WriteFile(filepath.Join(dir, "pairs.json"), input, 0o600)); err != nil {
		return err
	}
	for _, command := range [][]string{
		{"python3", "-m", "venv", filepath.Join(dir, "venv")},
		{python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "mcp-diff==0.1.0", "jsonschema==4.26.0"},
		{python, script, filepath.Join(dir, "pairs.json")},
	} {
		c := exec.Command(command[0], command[1:]...)
		c.Stdout, c.Stderr = os.Stdout, os.Stderr
		if err := c.Run(); err != nil {
			return fmt.Errorf("%s: %w", command[0], err)
		}
	}
	return nil
}

// compare runs mcptest on all neighboring states.
func compare(file string) ([]pair, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var pairs []pair
	var before state
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		var now state
		if err := json.Unmarshal(lines.Bytes(), &now); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if now.Server == before.Server {
			start := time.Now()
			d := change.Compare(&change.Surface{Tools: before.Tools}, &change.Surface{Tools: now.Tools})
			p := pair{Old: before.Tools, New: now.Tools, Seconds: time.Since(start).Seconds()}
			for _, item := range d.Items {
				if item.Kind == change.ToolItem {
					p.Verdicts = append(p.Verdicts, item)
				}
			}
			pairs = append(pairs, p)
		}
		before = now
	}
	return pairs, lines.Err()
}
