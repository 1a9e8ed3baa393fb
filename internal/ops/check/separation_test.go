package check

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/realdata"
	"github.com/mcptest-dev/mcptest/internal/workbench"
	"github.com/mcptest-dev/mcptest/testservers/planted"
	"github.com/mcptest-dev/mcptest/testservers/zoo"
)

// grades counts the grades of servers of one kind. A server without a grade counts as "–".
type grades struct {
	mu    sync.Mutex
	count map[string]int
	lines []string
}

func (g *grades) add(name string, r *Result) {
	g.mu.Lock()
	defer g.mu.Unlock()
	grade := r.Grade
	if grade == "" {
		grade = "–"
	}
	g.count[grade]++
	g.lines = append(g.lines, fmt.Sprintf("%s %s: %s", grade, name, r.sentence()))
}

func (g *grades) share(letters string) float64 {
	all, some := 0, 0
	for grade, n := range g.count {
		if all += n; strings.Contains(letters, grade) {
			some += n
		}
	}
	return float64(some) / float64(max(all, 1))
}

func (g *grades) String() string {
	slices.Sort(g.lines)
	return strings.Join(g.lines, "\n")
}

// warnsOnly are the planted defects that are a warning: they are found, and are no error.
var warnsOnly = []string{"FUZZ-007", "FUZZ-008", "FUZZ-010", "FUZZ-011", "FUZZ-018", "FUZZ-019",
	"FUZZ-021", "FUZZ-022", "FUZZ-023", "FUZZ-024", "FUZZ-025", "FUZZ-027", "FUZZ-028", "FUZZ-029", "FUZZ-030", "FUZZ-031",
	"FUZZ-032", "FUZZ-033"}

// warns are the planted defects that are a warning although their rule is an error.
var warns = []string{"accepts unknown members", "exception without a log", "formats no error"}

// zooSample is which part of the zoo is checked unless all of it is asked for: all of it takes minutes.
const zooSample = 6

// The grade separates: of clean servers 90 % are A or B; of those with an error-level defect 90 % are C or worse, and
// none is A.
func TestGradeSeparates(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: the servers were not tried there")
	}
	if raced {
		t.Skip("skipped under the race detector: a hundred servers take too long; the run without it covers them")
	}
	clean, faulty := &grades{count: map[string]int{}}, &grades{count: map[string]int{}}
	t.Run("servers", func(t *testing.T) {
		for _, c := range planted.Creatures() {
			for kind, into := range map[bool]*grades{true: clean, false: faulty} {
				if !kind && (slices.Contains(warnsOnly, c.Rule) || slices.Contains(warns, c.Name)) {
					continue
				}
				argv, env := c.Command(kind)
				into.check(t, c.Name, workbench.Connection{Command: foreign(argv), Env: []string{env}})
			}
		}
		for i, s := range zoo.Servers() {
			if strings.Contains(s.Defect, "allowed") || i%zooSample != 0 && os.Getenv("MCPTEST_FULL") == "" {
				continue
			}
			if h := s.HTTPHandler(); h != nil {
				server := httptest.NewServer(h)
				t.Cleanup(server.Close)
				faulty.check(t, s.Name, workbench.Connection{Target: server.URL + "/mcp"})
				continue
			}
			argv, env := s.Command()
			faulty.check(t, s.Name, workbench.Connection{Command: foreign(argv), Env: env})
		}
	})
	if clean.share("AB") < 0.9 {
		t.Errorf("%.0f %% of the clean servers are A or B, want 90:\n%s", 100*clean.share("AB"), clean)
	}
	if faulty.share("CDF–") < 0.9 || faulty.count["A"] > 0 {
		t.Errorf("%.0f %% of the faulty servers are C or worse, want 90; %d are A, want 0:\n%s",
			100*faulty.share("CDF–"), faulty.count["A"], faulty)
	}
	t.Logf("clean %v, faulty %v", clean.count, faulty.count)
}

// check grades a server beside others.
func (g *grades) check(t *testing.T, name string, c workbench.Connection) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		r, _ := checked(t, &Input{Connection: c, Budget: 40 * time.Second})
		if r.Word == CheckPassed && r.Grade >= "C" || r.Word == CheckFailed && r.Grade < "C" {
			t.Errorf("%s contradicts the grade %q", r.Word, r.Grade)
		}
		g.add(name, r)
	})
}

// The schemas of real servers: those without an error are A or B, the others C or worse. docs/explanation/grades.md has
// the distribution.
func TestGradesOfRealServers(t *testing.T) {
	if raced {
		t.Skip("skipped under the race detector: it checks one server after the other, without any concurrency")
	}
	count := map[string]int{}
	var wrong []string
	realdata.EachLine(t, realdata.Path(t, "tools.jsonl"), func(line []byte) {
		var server struct {
			Server string
			Tools  []json.RawMessage
		}
		if err := json.Unmarshal(line, &server); err != nil {
			t.Fatal(err)
		}
		found := lint.Run(t.Context(), lint.NewCatalog(server.Server, server.Tools), &lint.Options{}).Findings()
		warnOfHosts(found)
		grade := gradeOf(found)
		count[grade]++
		defect := slices.ContainsFunc(found, func(f finding.Finding) bool { return f.Severity.AtLeast(finding.Error) })
		if defect == (grade < "C") {
			wrong = append(wrong, server.Server)
		}
	})
	if len(wrong) > 0 {
		t.Errorf("the grade contradicts the findings of %v", wrong)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "explanation", "grades.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := fmt.Sprintf("| %d | %d | %d | %d | %d |", count["A"], count["B"], count["C"], count["D"], count["F"])
	if !strings.Contains(string(page), row) {
		t.Errorf("docs/explanation/grades.md does not have the distribution\n%s", row)
	}
}
