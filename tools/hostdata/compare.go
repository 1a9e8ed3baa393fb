package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/hostrun"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

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
		file := filepath.Join(folder, hostrun.RecordFile(p.ID, p.Version))
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
	outcome := hostrun.Outcome(sent, seen)
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

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// readBatches reads the tools as the servers sent them.
func readBatches(folder string) ([][]json.RawMessage, error) {
	entries, err := hostrun.ReadBatches(folder)
	batches := make([][]json.RawMessage, len(entries))
	for i, batch := range entries {
		for _, e := range batch {
			batches[i] = append(batches[i], e.Tool)
		}
	}
	return batches, err
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
