package catalog

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/typo"
)

// A SimpleHit is a tool that SimpleSearch found.
type SimpleHit struct {
	Key   Key
	Score float64
}

// SimpleSearch is Search for one query without anything that makes it fast: it counts the words of every tool, sorts all
// tools, and keeps nothing.
func (c *Catalog) SimpleSearch(text string, f Filter) []SimpleHit {
	c.mu.RLock()
	defer c.mu.RUnlock()
	x := c.index
	f.catalog = c
	s := x.simpleScope(&f)
	q := x.parse(text, s)
	x.correct(q, s)
	all := x.simpleRank(q, s, f.Limit)
	if len(all) < few && x.addFuzzy(q, s) {
		all = x.simpleRank(q, s, f.Limit)
	}
	out := make([]SimpleHit, 0, len(all))
	for _, one := range all {
		out = append(out, SimpleHit{x.entries[one.entry].tool.Key(), one.score})
	}
	return out
}

func (x *index) simpleScope(f *Filter) *scope {
	s := &scope{in: make([]bool, len(x.entries)), factors: make([]factors, len(x.entries))}
	var lengths, average [fields]float64
	for n, e := range x.entries {
		if e.tool == nil || !f.match(e.tool, e.own) {
			continue
		}
		s.in[n] = true
		s.count++
		for f, words := range e.words {
			lengths[f] += float64(len(words))
		}
	}
	for f := range average {
		average[f] = max(lengths[f]/max(s.count, 1), 1e-9)
	}
	for n, e := range x.entries {
		for f, words := range e.words {
			length := float64(len(words))
			s.factors[n][f] = float32(fieldWeight[f] / (1 - fieldLength[f] + fieldLength[f]*length/average[f]))
		}
	}
	return s
}

func (x *index) simpleRank(q *query, s *scope, limit int) []found {
	limit = cmp.Or(limit, DefaultLimit)
	scores, rarity, attainable := make([]float64, len(x.entries)), map[uint32]float64{}, 0.0
	for _, p := range q.parts {
		counts, having := x.simpleCounts(p, s)
		rare := math.Log(1 + (s.count-having+.5)/(having+.5+rarest))
		weight := p.weight * rare * (saturation + 1)
		if !p.extra {
			attainable += weight
			if len(p.forms) > 0 {
				rarity[p.forms[0].term] = rare
			}
		}
		for n, count := range counts {
			scores[n] += weight * float64(count) / (saturation + float64(count))
		}
	}
	named := x.named(q, s)
	var all []found
	for n, score := range scores {
		if how := named[uint32(n)]; how > 0 || score > 0 {
			all = append(all, found{entry: uint32(n), named: how, score: score})
		}
	}
	all = x.simpleBest(x.quoted(q, all), max(limit, reranked))
	for i := range all {
		all[i].score += x.simpleBonus(q, rarity, all[i].entry)
		all[i].score = normal(all[i], attainable)
	}
	x.demote(q, all)
	return x.simpleBest(all, limit)
}

// simpleCounts returns the weighted occurrences of a part in each entry, and the number of tools that have it.
func (x *index) simpleCounts(p part, s *scope) (counts []float32, having float64) {
	counts = make([]float32, len(x.entries))
	if len(p.forms) == 0 {
		return counts, 0
	}
	forms := map[uint32]bool{}
	for _, f := range p.forms {
		forms[f.term] = true
	}
	for n, e := range x.entries {
		if !s.in[n] {
			continue
		}
		has := map[uint32][fields]int{}
		for f, words := range e.words {
			for _, w := range words {
				for _, term := range []uint32{w.stem, w.written} {
					if forms[term] {
						count := has[term]
						count[f]++
						has[term] = count
					}
				}
			}
		}
		for _, form := range p.forms {
			for f, count := range has[form.term] {
				if count > 0 && field(f) < form.fields() {
					counts[n] += float32(form.weight) * float32(min(count, 255)) * s.factors[n][f]
				}
			}
		}
		if counts[n] > 0 {
			having++
		}
	}
	return counts, having
}

// simpleBonus is the bonus of an entry for each pair of the query that it has, in the order of its text.
func (x *index) simpleBonus(q *query, rarity map[uint32]float64, n uint32) float64 {
	sum, had := 0.0, map[pair]bool{}
	for _, words := range x.entries[n].words[:inParameters] {
		for i := 1; i < len(words); i++ {
			p := pair{words[i-1].stem, words[i].stem}
			if had[p] {
				continue
			}
			had[p] = true
			gain := 0.0
			for _, wanted := range q.pairs {
				if wanted == p {
					gain += pairWeight * max(rarity[p.first], rarity[p.second])
				}
			}
			sum += gain
		}
	}
	return sum
}

func (x *index) simpleBest(all []found, limit int) []found {
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.named, a.named), cmp.Compare(b.score, a.score),
			byKey(x.entries[a.entry].tool, x.entries[b.entry].tool))
	})
	return all[:min(len(all), limit)]
}

// Similar returns the written words of tools that are closest to a misspelled one: those that search finds, and those
// that a comparison with every word of every tool finds.
func (c *Catalog) Similar(word string) (got, want []string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	x := c.index
	for _, f := range x.close(word, x.scope(&Filter{catalog: c})) {
		got = append(got, strings.TrimPrefix(x.lists[f.term].text, "="))
	}
	best := 1
	if len(word) >= 8 {
		best = 2
	}
	for _, e := range x.entries {
		for _, words := range e.words {
			for _, w := range words {
				known := strings.TrimPrefix(x.lists[w.written].text, "=")
				d := typo.Distance(word, known, best)
				if d < best {
					best, want = d, nil
				}
				if d <= best && !slices.Contains(want, known) {
					want = append(want, known)
				}
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	return got, want
}

// Reached is reached, for tests.
var Reached = reached
