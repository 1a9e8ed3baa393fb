package fuzz

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/testservers/planted"
)

// TestMain is also every creature of the zoo.
func TestMain(m *testing.M) {
	planted.Play()
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil { // some creatures do nothing but stay silent
		panic(err)
	}
	os.Exit(m.Run())
}

func openCreature(c planted.Creature) func(context.Context) (*mcp.Session, error) {
	argv, env := c.Command(false)
	return func(ctx context.Context) (*mcp.Session, error) {
		return mcp.Connect(ctx, wire.Target{Command: argv, Env: append(os.Environ(), env),
			Grace: 200 * time.Millisecond},
			wire.NewTranscript(nil), &mcp.Options{Protocol: "2025-06-18", Timeout: 10 * time.Second})
	}
}

func anyTool(json.RawMessage) safety.Verdict { return safety.Verdict{Calls: safety.Unlimited} }

// maxCases is how many cases it may take to find a planted defect.
const maxCases = 500

// TestZoo finds every planted defect and nothing else, shrinks it to the expected minimum, and shows it again from what
// is written to a file.
func TestZoo(t *testing.T) {
	t.Parallel()
	if n := len(planted.Creatures()); n < 25 {
		t.Errorf("the zoo has %d creatures, want 25", n)
	}
	for _, c := range planted.Creatures() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			opts := Options{Open: openCreature(c), May: anyTool, Seed: 1, Cases: maxCases, Hang: 30 * time.Second,
				Stateful: c.Stateful, Wire: c.Wire, Shrink: time.Minute}
			if silent(c.Rule) {
				opts.Hang = 3 * time.Second // each silence takes as long
			}
			result, err := Run(t.Context(), opts)
			if err != nil {
				t.Fatalf("Run: %v", err)
			}
			found := of(result, c.Rule)
			if found == nil {
				t.Fatalf("not found; got %v", result.Report.Findings())
			}
			if found.Cases < 1 || found.Cases > maxCases {
				t.Errorf("found after %d cases, want at most %d", found.Cases, maxCases)
			}
			if !found.Repeats {
				t.Errorf("it does not show again: %v", found.finding())
			}
			if got := smallestOf(found); got != c.Smallest {
				t.Errorf("got %s, want %s", got, c.Smallest)
			}
			if got := others(result, c.Rule); got != "" {
				t.Errorf("also found: %s", got)
			}
			replayFile(t, opts, found)
		})
	}
}

// TestSessionsOfADefect minimizes a call in the session that showed the defect, and opens one more to confirm it.
func TestSessionsOfADefect(t *testing.T) {
	t.Parallel()
	for _, c := range planted.Creatures() {
		if c.Name != "Python exception on letters" {
			continue
		}
		opened, open := 0, openCreature(c)
		result, err := Run(t.Context(), Options{May: anyTool, Seed: 1, Cases: maxCases, Hang: 30 * time.Second,
			Shrink: time.Minute, Open: func(ctx context.Context) (*mcp.Session, error) { opened++; return open(ctx) }})
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Found) != 1 || opened != 2 {
			t.Errorf("opened %d sessions for %d defects, expected 2 for 1", opened, len(result.Found))
		}
		return
	}
	t.Error("the server is missing")
}

// An exception that an SDK hides is an error if stderr shows that it is a bug, and otherwise a warning.
func TestHiddenException(t *testing.T) {
	t.Parallel()
	severities := map[string]finding.Severity{"exception that the SDK hides": finding.Error,
		"exception without a log": finding.Warning}
	for _, c := range planted.Creatures() {
		want := severities[c.Name]
		if want == "" {
			continue
		}
		delete(severities, c.Name)
		result, err := Run(t.Context(), Options{Open: openCreature(c), May: anyTool, Seed: 1, Cases: maxCases,
			Hang: 30 * time.Second, Shrink: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		found := of(result, "FUZZ-014")
		if found == nil || found.Severity != want || strings.Contains(found.Breach, "IndexError") != (want == finding.Error) {
			t.Errorf("%s: got %+v, expected severity %s", c.Name, found, want)
		}
	}
	if len(severities) > 0 {
		t.Errorf("servers are missing: %v", severities)
	}
}

// replayFile shows a defect again from its written form.
func replayFile(t *testing.T, opts Options, found *Found) {
	t.Helper()
	raw, err := json.Marshal(found.Steps)
	if err != nil {
		t.Fatal(err)
	}
	var steps []Step
	if err := json.Unmarshal(raw, &steps); err != nil {
		t.Fatal(err)
	}
	again, err := Replay(t.Context(), opts, found.Rule.ID, steps)
	if err != nil {
		t.Fatalf("Replay: %v", err)
	}
	if f := of(again, found.Rule.ID); f == nil {
		t.Errorf("the file does not show %s again: %s", found.Rule.ID, raw)
	}
}

func of(r *Result, rule string) *Found {
	for _, f := range r.Found {
		if f.Rule.ID == rule {
			return f
		}
	}
	return nil
}

// others names the rules beside one that are broken, each once.
func others(r *Result, rule string) string {
	var all []string
	for _, f := range r.Found {
		if f.Rule.ID != rule && !slices.Contains(all, f.Rule.ID) {
			all = append(all, f.Rule.ID)
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// smallestOf is the steps of a defect: their arguments, long runs of a letter in short, and how often they are made.
func smallestOf(f *Found) string {
	var all []string
	for _, s := range f.Steps {
		text := manyLetters.ReplaceAllStringFunc(string(s.Arguments),
			func(run string) string { return fmt.Sprintf("a*%d", len(run)) })
		if s.Cancel {
			text = "cancelled " + text
		}
		if s.Times > 1 {
			text += fmt.Sprintf(" x%d", s.Times)
		}
		all = append(all, text)
	}
	return strings.Join(all, " then ")
}

var manyLetters = regexp.MustCompile("a{20,}")

// A default is compared in the open session: a server that starts slowly would spend the time limit on starts.
func TestDefaultIsMinimizedInOneSession(t *testing.T) {
	t.Parallel()
	for _, c := range planted.Creatures() {
		if c.Name != "another default" {
			continue
		}
		opened, open := 0, openCreature(c)
		result, err := Run(t.Context(), Options{May: anyTool, Seed: 1, Cases: 50, Shrink: time.Minute,
			Open: func(ctx context.Context) (*mcp.Session, error) { opened++; return open(ctx) }})
		if err != nil {
			t.Fatal(err)
		}
		if found := of(result, defaultRule.ID); found == nil || !found.Repeats {
			t.Fatalf("not found; got %v", result.Report.Findings())
		}
		if opened > 3 { // at first, to repeat it in a fresh session, and after it
			t.Errorf("%d sessions, want at most 3", opened)
		}
		return
	}
	t.Fatal("no such creature")
}
