package suite

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Choice selects the tests to run.
type Choice struct {
	Filter    string          // a substring of the ID, or a regular expression that matches it
	Tags      []string        // only tests with one of them
	SkipTags  []string        // no tests with one of them
	Failed    map[string]bool // only these IDs; nil means all
	Shard     Shard
	Durations map[string]time.Duration // durations of earlier runs, to balance the shards
}

// Is reports whether the test, or one of the cases that it generates, has one of the IDs.
func (t *Test) Is(ids map[string]bool) bool {
	if ids[t.ID] || !t.Generates() {
		return ids[t.ID]
	}
	for id := range ids {
		if strings.HasPrefix(id, t.ID+" [") {
			return true
		}
	}
	return false
}

// A Shard is one of several parts of the tests; the zero value is all of them.
type Shard struct{ Number, Of int }

// ParseShard parses 2/5.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{}, nil
	}
	number, of, ok := strings.Cut(text, "/")
	n, err1 := strconv.Atoi(number)
	m, err2 := strconv.Atoi(of)
	if !ok || err1 != nil || err2 != nil || n < 1 || n > m {
		return Shard{}, fmt.Errorf("invalid shard %q: expected its number and the total, such as 2/5", text)
	}
	return Shard{n, m}, nil
}

// Choose keeps only the selected tests in the plan, and reports whether that is all of them.
func (p *Plan) Choose(c Choice) (all bool, err error) {
	var filter *regexp.Regexp
	if c.Filter != "" {
		if filter, err = regexp.Compile("(?i)" + c.Filter); err != nil {
			filter = regexp.MustCompile("(?i)" + regexp.QuoteMeta(c.Filter))
		}
	}
	before := len(p.Tests())
	p.filter(func(t *Test) bool {
		return (filter == nil || filter.MatchString(t.ID) ||
			strings.Contains(strings.ToLower(t.ID), strings.ToLower(c.Filter))) &&
			(len(c.Tags) == 0 || t.HasTag(c.Tags)) && !t.HasTag(c.SkipTags) && (c.Failed == nil || t.Is(c.Failed))
	})
	if whole := len(p.Tests()) == before; whole {
		p.Shard = c.Shard
	}
	if c.Shard.Of > 1 {
		mine := c.Shard.of(p.Tests(), c.Durations)
		p.filter(func(t *Test) bool { return mine[t] })
	}
	return len(p.Tests()) == before, nil
}

func (p *Plan) filter(wanted func(*Test) bool) {
	for _, s := range p.Suites {
		s.Tests = slices.DeleteFunc(s.Tests, func(t *Test) bool { return !wanted(t) })
	}
	p.Suites = slices.DeleteFunc(p.Suites, func(s *Suite) bool { return len(s.Tests) == 0 })
}

// of distributes the tests, the longest first, each to the shard with the least work. Tests with unknown durations
// count as average and are distributed in an order that depends only on their IDs, so that every machine computes the
// same shards.
func (s Shard) of(tests []*Test, durations map[string]time.Duration) map[*Test]bool {
	usual := usualDuration(durations)
	weight := func(t *Test) time.Duration { return cmp.Or(durations[t.ID], usual) }
	sorted := slices.Clone(tests)
	slices.SortFunc(sorted, func(a, b *Test) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(hash(a.ID), hash(b.ID)),
			strings.Compare(a.ID, b.ID))
	})
	load := make([]time.Duration, s.Of)
	mine := map[*Test]bool{}
	for _, t := range sorted {
		least := 0
		for i := range load {
			if load[i] < load[least] {
				least = i
			}
		}
		load[least] += weight(t)
		mine[t] = least == s.Number-1
	}
	return mine
}

func usualDuration(durations map[string]time.Duration) time.Duration {
	if len(durations) == 0 {
		return time.Millisecond
	}
	var sum time.Duration
	for _, d := range durations {
		sum += d
	}
	return max(sum/time.Duration(len(durations)), time.Microsecond)
}

func hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
