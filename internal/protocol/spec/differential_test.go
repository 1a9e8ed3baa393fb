package spec

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// A spoken is a message of a server, recorded by the tests of testservers/npm.
type spoken struct {
	Server, Revision, Answers string
	Message                   json.RawMessage
}

// A difference is a judgement of ours that is not that of the published schema, and why.
type difference struct {
	why  string
	here func(t *testing.T, o *official, s spoken, m mutation) bool
}

// differences lists all there are.
var differences = []difference{
	{"an answer to a request that could not be read has id null, by JSON-RPC; the schemas leave the id out",
		func(_ *testing.T, _ *official, s spoken, m mutation) bool {
			return m.pointer == "/id" && m.value == "null" && s.Revision >= "2025-11-25"
		}},
	{"resultType decides what a result is; the schema takes whatever fits one of both",
		func(t *testing.T, o *official, s spoken, m mutation) bool {
			return s.Revision >= "2026-07-28" && slices.Contains(Interruptible(), s.Answers) &&
				o.acceptsDecided(t, s.Answers, m.text) == (len(s.judge(m.text)) == 0)
		}},
	{"request without id is none; the schemas up to 2025-06-18 define what a request says apart from its id",
		func(_ *testing.T, _ *official, s spoken, m mutation) bool {
			return s.Revision <= "2025-06-18" && s.Answers == "" && m.pointer == "/id" &&
				(m.value == "removed" || m.value == "null")
		}},
	{"any JSON value may be null or a fraction; the definition of one in the schema of 2026-07-28 knows neither",
		func(_ *testing.T, _ *official, s spoken, m mutation) bool {
			return s.Revision == "2026-07-28" && (m.value == "null" || m.value == "1.5") &&
				strings.Contains(m.pointer, "/other")
		}},
	{"params that are left out are judged as empty ones; the schema wants them there",
		func(_ *testing.T, _ *official, s spoken, m mutation) bool {
			return m.pointer == "/params" && m.value == "removed"
		}},
}

// TestDifferential compares our judgement with that of the published schemas: on what real servers said, and on the
// same with every part of it changed in every way.
func TestDifferential(t *testing.T) {
	frames := readFrames(t)
	for _, id := range IDs() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			c := &comparison{T: t, published: publishedSchema(t, id), seen: map[string]bool{}, used: map[string]int{}}
			for _, s := range append(c.published.full(id), frames...) {
				if s.Revision == id {
					c.compare(s)
				}
			}
			t.Logf("%d judgements, %d that differ without a reason, %v", c.judged, c.differ, c.used)
			if c.judged < 1000 {
				t.Errorf("%d judgements; want more to compare", c.judged)
			}
		})
	}
}

// A comparison is that of one revision.
type comparison struct {
	*testing.T
	published      *official
	seen           map[string]bool
	used           map[string]int
	judged, differ int
}

func (c *comparison) compare(s spoken) {
	c.message(s, mutation{text: s.Message})
	for _, m := range mutations(s.Message) {
		key := s.Answers + " " + m.place + " " + m.value
		if !c.seen[key] {
			c.seen[key] = true
			m.text = m.make()
			c.message(s, m)
		}
	}
}

func (c *comparison) message(s spoken, m mutation) {
	c.judged++
	ours := s.judge(m.text)
	theirs := c.published.acceptsMessage(c.T, s.Answers, m.text)
	if (len(ours) == 0) == theirs {
		return
	}
	for _, d := range differences {
		if d.here(c.T, c.published, s, m) {
			c.used[d.why]++
			return
		}
	}
	if c.differ++; c.differ <= 20 {
		c.Errorf("%s %s, %s %s:\n%.600s\nours: %v\ntheirs: accepts = %v", s.Server, s.Answers, m.pointer, m.value,
			m.text, ours, theirs)
	}
}

func (s spoken) judge(message json.RawMessage) []Violation {
	r, _ := Find(s.Revision)
	if s.Answers != "" {
		return r.ValidateResponse(Client, s.Answers, message)
	}
	return r.Validate(Server, message)
}

func readFrames(t *testing.T) []spoken {
	t.Helper()
	file, err := os.Open("testdata/frames.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	var all []spoken
	for lines.Scan() {
		var s spoken
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// A mutation is a message with one part changed.
type mutation struct {
	pointer, value string
	place          string // the pointer without positions, and what is there: one of a kind is enough
	make           func() json.RawMessage
	text           json.RawMessage // what make made
}

// replacements are what each part is changed to.
var replacements = []string{"null", `"x"`, "1", "-1", "1.5", "true", "[]", "{}", `[{}]`, `""`, "1.0", `"complete"`,
	`"input_required"`}

// mutations are all changes of a message: each part removed, and replaced by a value of every kind. Of a long array the
// first and the last element are kept and changed.
func mutations(message json.RawMessage) []mutation {
	w := &mutator{}
	w.walk(message, "", "", func(v json.RawMessage) json.RawMessage { return v })
	return w.all
}

type mutator struct{ all []mutation }

func (w *mutator) walk(value json.RawMessage, pointer, place string, rebuild func(json.RawMessage) json.RawMessage) {
	for _, r := range replacements {
		w.all = append(w.all, mutation{pointer: pointer, value: r, place: place + "=",
			make: func() json.RawMessage { return rebuild(json.RawMessage(r)) }})
	}
	if _, inside, found := strings.Cut(place, "putSchema"); found && strings.Count(inside, "/") > 1 {
		return // the protocol says nothing of what is deeper in the schema of a tool
	}
	var members map[string]json.RawMessage
	var items []json.RawMessage
	switch {
	case kindOf(value) == "object" && json.Unmarshal(value, &members) == nil:
		place += string(members["type"]) + string(members["method"])
		for _, key := range sortedKeys(members, true) {
			at, here := pointer+"/"+escape(key), place+"/"+escape(key)
			w.all = append(w.all, mutation{pointer: at, value: "removed", place: here,
				make: func() json.RawMessage { return rebuild(without(members, key, nil)) }})
			w.walk(members[key], at, here, func(v json.RawMessage) json.RawMessage {
				return rebuild(without(members,
					key, v))
			})
		}
	case kindOf(value) == "array" && json.Unmarshal(value, &items) == nil:
		if len(items) > 2 {
			items = []json.RawMessage{items[0], items[len(items)-1]}
		}
		for i := range items {
			w.walk(items[i], fmt.Sprintf("%s/%d", pointer, i), place+"/*", func(v json.RawMessage) json.RawMessage {
				changed := slices.Clone(items)
				changed[i] = v
				return rebuild(encode(changed))
			})
		}
	}
}

// without is an object with a member replaced, or removed where value is nil.
func without(members map[string]json.RawMessage, key string, value json.RawMessage) json.RawMessage {
	changed := map[string]json.RawMessage{}
	for k, v := range members {
		if k != key {
			changed[k] = v
		}
	}
	if value != nil {
		changed[key] = value
	}
	return encode(changed)
}

func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}
