package schema

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"
)

// A NonRE2Pattern is a regular expression that Go's linear engine cannot run, such as one with a lookahead.
// Many validators reject it.
type NonRE2Pattern struct {
	Pointer string `json:"pointer"`
	Pattern string `json:"pattern"`
	Reason  string `json:"reason"`
}

// A backtracking match can take exponential time, so all of them in one validation share a small budget.
const (
	matchTimeout     = 50 * time.Millisecond
	matchBudget      = 100 * time.Millisecond
	clockPeriod      = 10 * time.Millisecond
	maxPattern       = 4096
	costliestPattern = 8 * maxPattern
	classCost        = 500 // \p{L} is a table of hundreds of ranges
)

// patternEngine compiles patterns for the library and tracks their cost.
type patternEngine struct {
	timer  *matchBudgetTimer
	seen   map[string]jsonschema.Regexp
	budget int
	sealed bool // compilation is finished; from now on it is used concurrently
}

func (e *patternEngine) compile(pattern string) (jsonschema.Regexp, error) {
	if re, ok := e.seen[pattern]; ok {
		return re, nil
	}
	cost, tree, err := patternCost(pattern)
	if err != nil {
		return nil, err
	}
	if !e.sealed {
		if e.budget -= cost; e.budget < 0 {
			return nil, &patternCostError{"the patterns are too large in total"}
		}
	}
	re, err := compilePattern(pattern, cost, tree, e.timer)
	if err == nil && !e.sealed {
		e.seen[pattern] = re
	}
	return re, err
}

// compileAll compiles the patterns in document order, so that an error names the first invalid one.
func (e *patternEngine) compileAll(survey *schemaStats) error {
	for _, p := range survey.patterns {
		if _, err := e.compile(p.text); err != nil {
			return explainPattern(p, err)
		}
	}
	return nil
}

// A patternCostError rejects a pattern because of its size, not its syntax.
type patternCostError struct{ message string }

func (e *patternCostError) Error() string { return e.message }

// patternCost estimates the cost of a pattern before allocating anything of that size. The tree is nil for what
// RE2 cannot parse.
func patternCost(pattern string) (int, *syntax.Regexp, error) {
	cost := len(pattern) + classCost*(strings.Count(pattern, `\p`)+strings.Count(pattern, `\P`))
	if len(pattern) > maxPattern || cost > costliestPattern {
		return 0, nil, &patternCostError{fmt.Sprintf("the pattern that starts with %q is too large",
			clip.Text(pattern, 20))}
	}
	tree, err := syntax.Parse(unicodeEscapes(pattern), syntax.Perl)
	if err != nil {
		return cost, nil, nil
	}
	if cost += instructions(tree); cost > costliestPattern {
		return 0, nil, &patternCostError{fmt.Sprintf("the pattern that starts with %q has too many repetitions",
			clip.Text(pattern, 20))}
	}
	return cost, tree, nil
}

func compilePattern(pattern string, cost int, tree *syntax.Regexp, watch *matchBudgetTimer) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(unicodeEscapes(pattern))
	if tree == nil || err != nil {
		return compileBacktracking(pattern, reason(err), watch)
	}
	return &linear{re, pattern, cost}, nil
}

// linear runs in time proportional to the text.
type linear struct {
	*regexp.Regexp
	written string
	cost    int
}

// String returns the pattern as written in the schema.
func (p *linear) String() string { return p.written }

// instructions estimates the size of the compiled program, in which counted repetitions are expanded.
func instructions(tree *syntax.Regexp) int {
	total := 1 + len(tree.Rune)/8
	for _, sub := range tree.Sub {
		total += instructions(sub)
	}
	if tree.Op == syntax.OpRepeat {
		total *= max(tree.Min, tree.Max, 1)
	}
	return total
}

// unicodeEscapes converts \u0041, which RE2 does not support, to \x{0041}.
func unicodeEscapes(pattern string) string {
	if !strings.Contains(pattern, `\u`) {
		return pattern
	}
	return unicodeEscape.ReplaceAllStringFunc(pattern, func(escape string) string {
		if escape[1] != 'u' {
			return escape // an escaped backslash, or another escaped character
		}
		return `\x{` + escape[2:] + "}"
	})
}

var unicodeEscape = regexp.MustCompile(`\\u[0-9a-fA-F]{4}|\\.`)

func reason(err error) string {
	if syntaxErr, ok := err.(*syntax.Error); ok {
		return string(syntaxErr.Code) + ": " + syntaxErr.Expr
	}
	return err.Error()
}

// backtracking is for patterns that only such an engine can match. Its time is limited.
type backtracking struct {
	re     *regexp2.Regexp
	reason string
	watch  *matchBudgetTimer
}

// slowClock makes the engine check the time often enough for our limit. Its clock stops by itself, a second
// after the last match.
var slowClock = sync.OnceFunc(func() { regexp2.SetTimeoutCheckPeriod(clockPeriod) })

func compileBacktracking(pattern, reason string, watch *matchBudgetTimer) (jsonschema.Regexp, error) {
	slowClock()
	re, err := regexp2.Compile(pattern, regexp2.ECMAScript)
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = matchTimeout
	return &backtracking{re, reason, watch}, nil
}

// String returns the pattern as written in the schema.
func (p *backtracking) String() string { return p.re.String() }

// MatchString returns false once the budget of the validation is used up; [Schema.Validate] then reports it.
func (p *backtracking) MatchString(text string) bool {
	if p.watch.spent > matchBudget {
		return false
	}
	start := time.Now()
	matched, err := p.re.MatchString(text)
	p.watch.spent += time.Since(start)
	if err != nil {
		p.watch.spent = 2 * matchBudget
	}
	if p.watch.spent > matchBudget {
		p.watch.pattern = p.String()
	}
	return matched && err == nil
}

// A matchBudgetTimer adds up the cost of backtracking in one validation.
type matchBudgetTimer struct {
	spent   time.Duration
	pattern string // the one that used up the budget
}
