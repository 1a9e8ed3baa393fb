package isolate

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
)

// canaryPrefix starts every canary: 12 random bytes in hexadecimal follow.
const (
	canaryPrefix = "mcptest"
	canaryLength = len(canaryPrefix) + 24
)

// minPrivate is the minimum length of a credential that is searched for; shorter ones occur by chance.
const minPrivate = 8

// A mark is a text that belongs to one user.
type mark struct {
	text, owner, kind string
	from              string // the request that sent it
	rule              string // the rule that it is evidence for; empty means by the message that has it
}

// The kinds of marks.
const (
	canaryMark     = "random value"
	privateMark    = "private text"
	credentialMark = "credential"
)

// A sighting is a mark in a message to another user.
type sighting struct {
	rule, subject, by string
	mark              mark
	frame             int
	text              string // the part of the message around it
}

// A ledger knows which text belongs to whom, and where it was seen.
type ledger struct {
	mu        sync.Mutex
	canaries  map[string]mark
	marks     []mark // private texts and credentials
	sightings []sighting
}

func newLedger() *ledger { return &ledger{canaries: map[string]mark{}} }

// own registers the texts of a user. A text that is also of another user is removed: it identifies nobody.
func (l *ledger) own(id Identity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	add := func(text, kind string) {
		known := slices.IndexFunc(l.marks, func(m mark) bool { return m.text == text })
		switch {
		case known < 0:
			l.marks = append(l.marks, mark{text: text, owner: id.Name, kind: kind})
		case l.marks[known].owner != id.Name:
			l.marks[known].owner = "" // of nobody
		}
	}
	for _, text := range id.Private {
		add(text, privateMark)
	}
	for _, text := range id.Secrets {
		if len(text) >= minPrivate {
			add(text, credentialMark)
		}
	}
}

// canary returns a new random value of a user. A value of nobody is for requests that both users send.
func (l *ledger) canary(owner, from string) string { return l.canaryFor("", owner, from) }

// canaryFor returns a new random value that is evidence for one rule only.
func (l *ledger) canaryFor(rule, owner, from string) string {
	random := make([]byte, 12)
	_, _ = rand.Read(random) // never fails
	text := canaryPrefix + hex.EncodeToString(random)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.canaries[text] = mark{text: text, owner: owner, kind: canaryMark, from: from, rule: rule}
	return text
}

// foreign lists the marks of other users in a message to one user. The marks in the request that the message answers
// are no evidence: a server may repeat them.
func (l *ledger) foreign(body, request []byte, user string) []mark {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []mark
	for rest := body; ; {
		at := bytes.Index(rest, []byte(canaryPrefix))
		if at < 0 || len(rest) < at+canaryLength {
			break
		}
		m, known := l.canaries[string(rest[at:at+canaryLength])]
		if known && m.owner != "" && m.owner != user && !bytes.Contains(request, []byte(m.text)) {
			all = append(all, m)
		}
		rest = rest[at+len(canaryPrefix):]
	}
	for _, m := range l.marks {
		if m.owner != "" && m.owner != user && bytes.Contains(body, []byte(m.text)) &&
			!bytes.Contains(request, []byte(m.text)) {
			all = append(all, m)
		}
	}
	return all
}

func (l *ledger) see(s sighting) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case s.mark.kind == credentialMark:
		s.rule = ruleCredential
	case s.mark.rule != "":
		s.rule = s.mark.rule
	}
	for _, known := range l.sightings {
		if known.rule == s.rule && known.subject == s.subject && known.by == s.by && known.mark.kind == s.mark.kind {
			return
		}
	}
	l.sightings = append(l.sightings, s)
}

func (l *ledger) seen() []sighting {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.sightings)
}

func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.sightings)
}

// around returns the part of a message around a text.
func around(body []byte, text string) string {
	const most = 120
	at := max(bytes.Index(body, []byte(text)), 0)
	from, to := max(at-most, 0), min(at+len(text)+most, len(body))
	shown := strings.ToValidUTF8(string(body[from:to]), "")
	if from > 0 {
		shown = "…" + shown
	}
	if to < len(body) {
		shown += "…"
	}
	return shown
}
