package catalog

import (
	"math"
	"slices"
)

// score adds the scores of each part of the query for each tool. It returns the rarity of each term that was looked up,
// and an upper bound of the scores.
func (x *index) score(q *query, s *scope, w *scoreBuffer) (rarity map[uint32]float64, attainable float64) {
	rarity = make(map[uint32]float64, len(q.parts))
	for i := range q.parts {
		p := &q.parts[i]
		entries, weights := x.occurrences(p, s, w)
		having := float64(len(entries))
		rare := math.Log(1 + (s.count-having+.5)/(having+.5+rarest))
		weight := p.weight * rare * (saturation + 1)
		if !p.extra {
			attainable += weight
		}
		if p.exact {
			rarity[p.forms[0].term] = rare
		}
		scores, weights := w.scores, weights[:len(entries)]
		for i, n := range entries {
			count := float64(weights[i])
			scores[n] += weight * count / (saturation + count)
		}
	}
	return rarity, attainable
}

// occurrences returns the tools in scope that have a part of a query, and how often each has it, weighted. The lists
// are valid until the next call.
func (x *index) occurrences(p *part, s *scope, w *scoreBuffer) (entries []uint32, weights []float32) {
	if len(p.forms) == 1 {
		return x.ofForm(p.forms[0], s, w)
	}
	w.entries = w.entries[:0]
	for _, f := range p.forms {
		x.addForm(f, s, w)
	}
	w.weights = w.weights[:0]
	for _, n := range w.entries {
		w.weights = append(w.weights, w.counts[n])
		w.counts[n] = 0
	}
	return w.entries, w.weights
}

// ofForm returns the occurrences of one form.
func (x *index) ofForm(f form, s *scope, w *scoreBuffer) (entries []uint32, weights []float32) {
	l, before, weight := &x.lists[f.term], f.fields(), float32(f.weight)
	if s.in == nil && weight == 1 && !f.named {
		return l.entries, x.weightsOf(l)
	}
	w.entries, w.weights = slices.Grow(w.entries[:0], len(l.entries)), slices.Grow(w.weights[:0], len(l.entries))
	at := 0
	for _, n := range l.entries {
		sum, factors := float32(0), &s.factors[n]
		for more := true; more; at++ {
			p := l.places[at]
			if p.field < before {
				sum += weight * float32(p.count) * factors[p.field]
			}
			more = !p.last
		}
		if sum > 0 {
			w.entries, w.weights = append(w.entries, n), append(w.weights, sum)
		}
	}
	return w.entries, w.weights
}

// addForm adds the weighted occurrences of one form of a part to the counts of the tools in scope, and lists the tools
// that had none before.
func (x *index) addForm(f form, s *scope, w *scoreBuffer) {
	l, before, weight := &x.lists[f.term], f.fields(), float32(f.weight)
	at := 0
	for _, n := range l.entries {
		had, factors := w.counts[n], &s.factors[n]
		sum := had
		for more := true; more; at++ {
			p := l.places[at]
			if p.field < before {
				sum += weight * float32(p.count) * factors[p.field]
			}
			more = !p.last
		}
		if had == 0 && sum > 0 {
			w.entries = append(w.entries, n)
		}
		w.counts[n] = sum
	}
}

// weightsOf returns the weighted occurrences of a term in each tool of its list, if all tools are in scope. They depend
// on the average lengths of texts, so a change of the catalog changes all of them; they are computed when needed.
func (x *index) weightsOf(l *list) []float32 {
	if known := l.weights.Load(); known != nil {
		return *known
	}
	weights := make([]float32, len(l.entries))
	at := 0
	for i, n := range l.entries {
		factors := &x.factors[n]
		for more := true; more; at++ {
			p := l.places[at]
			weights[i] += float32(p.count) * factors[p.field]
			more = !p.last
		}
	}
	l.weights.Store(&weights)
	return weights
}
