package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// files names the recordings of the hosts: the first part of the file name is not the ID of the profile for all.
var files = map[string]string{
	"codex": "codex", "claude-code": "claude", "gemini-cli": "gemini", "copilot-cli": "copilot", "opencode": "opencode",
	"kilo": "kilo", "qwen-code": "qwen", "continue": "continue", "cline": "cline",
}

// A result is the comparison of one profile with its recording.
type result struct {
	Host, Version            string
	Tools, Same              int
	Dropped, DroppedForeseen int
	Lost, LostForeseen       int
	Disagreements            []string
}

// Agreement returns the share of tools with the same outcome, name, description and schema.
func (r *result) Agreement() float64 { return float64(r.Same) / float64(max(1, r.Tools)) }

// A record is a line of a recording.
type record struct {
	Given *struct {
		Namespace   string          `json:"namespace"`
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"given"`
	Outcome      string `json:"outcome"`
	Batch, Index int
}

// compare compares each profile that has a recording with it. Tools whose index is not wanted are skipped.
func compare(folder string, want func(index int) bool) ([]*result, error) {
	batches, err := readBatches(folder)
	if err != nil {
		return nil, err
	}
	var results []*result
	for _, p := range hosts.Profiles() {
		if !p.Measured() {
			continue
		}
		file := filepath.Join(folder, files[p.ID]+"-"+p.Version+".jsonl")
		records, err := readRecords(file)
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("no recording of %s %s: %w", p.ID, p.Version, err)
		}
		if err != nil {
			return nil, err
		}
		r := &result{Host: p.ID, Version: p.Version}
		for _, rec := range records {
			if rec.Batch < 0 || rec.Batch >= len(batches) || rec.Index < 0 || rec.Index >= len(batches[rec.Batch]) {
				return nil, fmt.Errorf("%s: no tool %d in batch %d", file, rec.Index, rec.Batch)
			}
			if want(rec.Index) {
				r.add(p, batches[rec.Batch][rec.Index], rec)
			}
		}
		results = append(results, r)
	}
	return results, nil
}

// add compares one tool.
func (r *result) add(p hosts.Profile, definition json.RawMessage, rec record) {
	sent := hosts.Read(definition)
	seen := hosts.View(p, serverName(p, rec), sent)
	outcome := outcomeOf(sent, seen)
	r.Tools++
	switch rec.Outcome {
	case "dropped":
		r.Dropped++
		r.DroppedForeseen += count(outcome == rec.Outcome)
	case "server lost":
		r.Lost++
		r.LostForeseen += count(outcome == rec.Outcome)
	}
	if why := disagreement(rec, seen, outcome); why != "" {
		r.Disagreements = append(r.Disagreements,
			fmt.Sprintf("batch %d, index %d, %s: %s", rec.Batch, rec.Index, sent.Name, why))
		return
	}
	r.Same++
}

// serverName returns the name of the server in the recording. The recordings use t for all; only the text and the
// hashes of Cline contain the letter with which its batch was run.
func serverName(p hosts.Profile, rec record) string {
	if p.ID == "cline" {
		return string(rune('a' + (int('t'-'a')+rec.Batch)%26))
	}
	return "t"
}

// outcomeOf names what happened to a tool as the recordings do.
func outcomeOf(sent, seen hosts.Tool) string {
	switch {
	case seen.LosesServer:
		return "server lost"
	case seen.Lost != "":
		return "dropped"
	case strings.HasSuffix(seen.Name, sent.Name) && seen.Description == sent.Description &&
		sameText(sent.Schema, seen.Schema):
		return "as sent"
	}
	return "changed"
}

// disagreement returns the first difference between a recording and a profile; empty if there is none.
func disagreement(rec record, seen hosts.Tool, outcome string) string {
	if rec.Given == nil || seen.Lost != "" {
		if rec.Outcome != outcome {
			return fmt.Sprintf("recorded %s, profile %s %s", rec.Outcome, outcome, seen.Lost)
		}
		return ""
	}
	if rec.Outcome != outcome {
		return fmt.Sprintf("recorded %s, profile %s", rec.Outcome, outcome)
	}
	name := seen.Name
	if i := strings.Index(name, "__"); i == 1 { // Cline: the letter of the batch
		name = "t" + name[1:]
	}
	switch {
	case rec.Given.Name != name || rec.Given.Namespace != seen.Namespace:
		return fmt.Sprintf("name: recorded %q %q, profile %q %q", rec.Given.Namespace, rec.Given.Name, seen.Namespace,
			name)
	case rec.Given.Description != seen.Description:
		return fmt.Sprintf("description: recorded %s, profile %s", ending(rec.Given.Description),
			ending(seen.Description))
	}
	return hosts.SchemaDifference(rec.Given.Parameters, seen.Schema)
}

// ending shortens a text to its start and its end.
func ending(text string) string {
	return fmt.Sprintf("%q…%q (%d bytes)", clip.Text(text, 30), text[max(0, len(text)-30):], len(text))
}

// sameText reports whether two JSON values are equal up to the order of fields. The spelling of numbers matters.
func sameText(a, b json.RawMessage) bool {
	var x, y any
	for raw, to := range map[*json.RawMessage]*any{&a: &x, &b: &y} {
		decoder := json.NewDecoder(bytes.NewReader(*raw))
		decoder.UseNumber()
		if decoder.Decode(to) != nil {
			return false
		}
	}
	return equal(x, y)
}

func equal(a, b any) bool {
	left, _ := json.Marshal(a)
	right, _ := json.Marshal(b)
	return bytes.Equal(left, right)
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// readBatches reads the tools as the servers sent them.
func readBatches(folder string) ([][]json.RawMessage, error) {
	entries, err := readEntries(folder)
	batches := make([][]json.RawMessage, len(entries))
	for i, batch := range entries {
		for _, e := range batch {
			batches[i] = append(batches[i], e.Tool)
		}
	}
	return batches, err
}

// readEntries reads the tools with their servers.
func readEntries(folder string) ([][]entry, error) {
	names, err := filepath.Glob(filepath.Join(folder, "batches", "batch-*.json"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no batches in %s", folder)
	}
	slices.Sort(names)
	batches := make([][]entry, len(names))
	for i, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(raw, &batches[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return batches, nil
}

func readRecords(file string) ([]record, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	var records []record
	for lines.Scan() {
		var rec record
		if err := json.Unmarshal(lines.Bytes(), &rec); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, len(records)+1, err)
		}
		records = append(records, rec)
	}
	return records, lines.Err()
}
