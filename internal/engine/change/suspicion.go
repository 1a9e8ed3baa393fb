package change

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"golang.org/x/text/unicode/norm"
)

// A Suspicion is a difference that an attack on a model would make.
type Suspicion struct {
	Rule    string `json:"rule"`
	Path    string `json:"path,omitempty"` // JSON Pointer into the definition
	Message string `json:"message"`
}

// A suspect compares the texts of a definition with those that the server had before.
type suspect struct {
	hosts map[string]bool // hosts and mail addresses that any old text contains
	names map[string][]string
}

// suspect looks for attacks in everything that changed. A server without an old state has nothing to compare with.
func (d *Diff) suspect(before, after *Surface) {
	lists := []struct {
		kind, key string
		old, now  []json.RawMessage
	}{{ToolItem, "name", before.Tools, after.Tools}, {PromptItem, "name", before.Prompts, after.Prompts},
		{ResourceItem, "uri", before.Resources, after.Resources},
		{TemplateItem, "uriTemplate", before.Templates, after.Templates}}
	s := suspect{hosts: map[string]bool{}, names: map[string][]string{}}
	s.learn(before.Instructions)
	for _, text := range before.Texts {
		s.learn(string(text.Result))
	}
	old, now := map[string]map[string]json.RawMessage{}, map[string]map[string]json.RawMessage{}
	for _, list := range lists {
		for _, raw := range list.old {
			s.learn(string(raw))
		}
		old[list.kind], _ = definitions(list.old, list.key)
		now[list.kind], s.names[list.kind] = definitions(list.now, list.key)
	}
	for i := range d.Items {
		item := &d.Items[i]
		if item.Kind == ServerItem {
			item.Suspicions = s.texts([]located{{"/instructions", before.Instructions}},
				[]located{{"/instructions", after.Instructions}})
			continue
		}
		name := item.Name
		if item.Was != "" {
			name = item.Was
		}
		was, is := small(old[item.Kind][name]), small(now[item.Kind][item.Name])
		if is == nil {
			continue
		}
		wasTexts, isTexts := textsOf(was), textsOf(is)
		if item.Kind == PromptItem {
			wasTexts = append(wasTexts, before.Texts[name].located()...)
			isTexts = append(isTexts, after.Texts[item.Name].located()...)
		}
		item.Suspicions = s.texts(wasTexts, isTexts)
		item.Suspicions = append(item.Suspicions, hintFlips(item)...)
		if item.Status == Added || item.Status == Renamed {
			item.Suspicions = append(item.Suspicions, s.imitates(item, is, now[item.Kind])...)
		}
	}
	d.dropRollout(old[ToolItem])
	for _, list := range lists {
		d.duplicates(list.kind, list.key, list.old, list.now)
	}
}

// small reads a definition, unless it is too large to compare: its verdict is unknown then.
func small(raw json.RawMessage) map[string]any {
	if len(raw) > maxDefinition {
		return nil
	}
	return object(raw)
}

// A located text is a string of a definition. Names of properties count: a model reads them.
type located struct{ pointer, value string }

func textsOf(value any) []located {
	var all []located
	var walk func(pointer string, value any)
	walk = func(pointer string, value any) {
		switch value := value.(type) {
		case string:
			all = append(all, located{pointer, value})
		case map[string]any:
			for _, name := range sortedKeys(value) {
				if name == "$schema" || name == "$ref" || name == "$id" {
					continue
				}
				below := pointer + "/" + schema.Token(name)
				if strings.HasSuffix(pointer, "/properties") {
					all = append(all, located{below, name})
				}
				walk(below, value[name])
			}
		case []any:
			for i, inner := range value {
				walk(pointer+"/"+strconv.Itoa(i), inner)
			}
		}
	}
	walk("", value)
	return all
}

var (
	urlPattern  = lazyregexp.New(`(?i)\b(?:https?|wss?|ftp|data|javascript)://[^\s"'<>)\]}\\]+`)
	mailPattern = lazyregexp.New(`(?i)\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b`)
)

// addresses lists the hosts and mail addresses of a text. Those that documentation uses as examples do not count.
func addresses(text string) []string {
	var all []string
	if !strings.Contains(text, "://") && !strings.Contains(text, "@") {
		return nil
	}
	for _, found := range urlPattern().FindAllString(text, -1) {
		if u, err := url.Parse(found); err == nil && u.Hostname() != "" {
			all = append(all, strings.ToLower(u.Hostname()))
		}
	}
	for _, found := range mailPattern().FindAllString(text, -1) {
		all = append(all, strings.ToLower(found))
	}
	return slices.DeleteFunc(all, func(place string) bool {
		_, host, isMail := strings.Cut(place, "@")
		if !isMail {
			host = place
		}
		return slices.Contains([]string{"example.com", "www.example.com", "example.org", "example.net", "localhost",
			"127.0.0.1", "json-schema.org"}, host)
	})
}

func (s *suspect) learn(text string) {
	for _, place := range addresses(text) {
		s.hosts[place] = true
	}
}

// texts compares texts with those at the same location before.
func (s *suspect) texts(old, now []located) []Suspicion {
	before, known := map[string]string{}, map[string]bool{}
	for _, text := range old {
		before[text.pointer] += text.value
		known[text.value] = true
	}
	var found []Suspicion
	add := func(rule, pointer, format string, args ...any) {
		found = append(found, Suspicion{Rule: rule, Path: pointer, Message: fmt.Sprintf(format, args...)})
	}
	for _, text := range now {
		if known[text.value] {
			continue
		}
		was := before[text.pointer]
		if what := newDirective(was, text.value); what != "" {
			add("SEC-101", text.pointer, "new instruction to the model: %s", what)
		}
		if hidden := hiddenIn(text.value); hidden != "" && hiddenIn(was) != hidden {
			add("SEC-102", text.pointer, "new hidden text: %s", hidden)
		}
		for _, place := range addresses(text.value) {
			if !s.hosts[place] {
				add("SEC-103", text.pointer, "new address: %s", place)
				break
			}
		}
	}
	return found
}

// newDirective is an instruction to the model that the old text does not contain; empty if there is none.
func newDirective(was, is string) string {
	if !strings.ContainsAny(is, " <[") {
		return ""
	}
	found := exposure.Directives(is)
	if len(found) == 0 {
		return ""
	}
	known := exposure.Directives(was)
	for _, what := range found {
		if !slices.Contains(known, what) {
			return what
		}
	}
	return ""
}

// hiddenIn names characters that a reviewer does not see; empty if there are none.
func hiddenIn(text string) string {
	runes := []rune(text)
	blank := 0
	for i, r := range runes {
		switch {
		case r >= 0xE0000 && r <= 0xE007F && !strings.ContainsRune(text, 0x1F3F4):
			return "Unicode tag characters"
		case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
			return "bidirectional control characters"
		case r == 0x200B, r == 0x2060, r == 0xFEFF,
			(r == 0x200C || r == 0x200D) && i > 0 &&
				unicode.In(runes[i-1], unicode.Latin, unicode.Cyrillic, unicode.Greek):
			return "zero-width characters"
		case r >= 0xE0100 && r <= 0xE01EF:
			return "variation selectors"
		case r < 0x20 && r != '\n' && r != '\r' && r != '\t', r == 0x7F:
			return "control characters"
		}
		if blank++; !unicode.IsSpace(r) {
			blank = 0
		}
		if blank > 200 {
			return "text after a long gap"
		}
	}
	return ""
}

// hintFlips reports hints that make a host ask the user less often.
func hintFlips(item *Item) []Suspicion {
	var found []Suspicion
	for _, c := range item.Changes {
		name := strings.TrimPrefix(c.Path, "/annotations/")
		if c.Kind == "annotation" && (name == "readOnlyHint" && string(c.New) == "true" ||
			name == "destructiveHint" && string(c.New) == "false") {
			found = append(found, Suspicion{Rule: "SEC-104", Path: c.Path,
				Message: c.Message + ": hosts ask the user less often"})
		}
	}
	return found
}

// dropRollout withdraws the suspicion from hints that most tools received at once and that had none before: their
// author started to write annotations.
func (d *Diff) dropRollout(old map[string]json.RawMessage) {
	isNew := func(item *Item, s Suspicion) bool {
		name := item.Name
		if item.Was != "" {
			name = item.Was
		}
		return s.Rule == "SEC-104" && object(old[name])["annotations"] == nil
	}
	count := 0
	for i := range d.Items {
		item := &d.Items[i]
		if slices.ContainsFunc(item.Suspicions, func(s Suspicion) bool { return isNew(item, s) }) {
			count++
		}
	}
	if count < 3 || 2*count < len(old) {
		return
	}
	for i := range d.Items {
		item := &d.Items[i]
		item.Suspicions = slices.DeleteFunc(item.Suspicions, func(s Suspicion) bool { return isNew(item, s) })
	}
}

// imitates reports a new name or description that is easily taken for another one.
func (s *suspect) imitates(item *Item, is map[string]any, others map[string]json.RawMessage) []Suspicion {
	var found []Suspicion
	names := s.names[item.Kind]
	if item.Was != "" {
		names = append(slices.Clip(names), item.Was)
	}
	text := textOf(is["description"])
	for _, name := range names {
		ascii := asciiOnly(item.Name) && asciiOnly(name)
		switch {
		case name == item.Name:
		case skeleton(name) == skeleton(item.Name) && !(ascii && name == item.Was):
			found = append(found, Suspicion{Rule: "SEC-105", Path: "/name",
				Message: fmt.Sprintf("the name looks like %s: %s",
					strconv.QuoteToASCII(name), strconv.QuoteToASCII(item.Name))})
		case item.Kind != ToolItem || name == item.Was:
		case normalName(name) == normalName(item.Name):
			found = append(found, Suspicion{Rule: "SEC-106", Path: "/name",
				Message: fmt.Sprintf("the name differs from %s only in spelling", quote(name))})
		case len(text) >= 20 && plainText(descriptionOf(others[name])) == plainText(text):
			found = append(found, Suspicion{Rule: "SEC-106", Path: "/description",
				Message: fmt.Sprintf("same description as %s", quote(name))})
		case displaces(text, name):
			found = append(found, Suspicion{Rule: "SEC-106", Path: "/description",
				Message: fmt.Sprintf("the description asks to use it in place of %s", quote(name))})
		}
	}
	return found
}

func descriptionOf(raw json.RawMessage) string {
	value, _ := schema.Get(raw, "/description")
	text, _ := schema.Text(value)
	return text
}

// displaces reports whether a description asks to use a tool in place of, or before, the named one.
func displaces(text, name string) bool {
	if len(name) < 3 || !strings.Contains(text, name) {
		return false
	}
	pattern := `(?i)\b(?:instead of|rather than|in place of|replaces|supersedes|overrides|do not use|don't use|never ` +
		`use|before (?:calling|using|running|any))\b[^.\n]{0,40}` +
		`(?:^|\W)` + regexp.QuoteMeta(name) + `(?:\W|$)`
	matched, err := regexp.MatchString(pattern, text)
	return err == nil && matched
}

// duplicates reports a name that the new list has twice: hosts differ in which one they use.
func (d *Diff) duplicates(kind, key string, before, after []json.RawMessage) {
	count := func(list []json.RawMessage) map[string]int {
		all := map[string]int{}
		for _, raw := range list {
			value, _ := schema.Get(raw, "/"+key)
			if name, ok := schema.Text(value); ok {
				all[name]++
			}
		}
		return all
	}
	old, now := count(before), count(after)
	for _, name := range sortedKeys(now) {
		if now[name] < 2 || now[name] <= old[name] {
			continue
		}
		item := d.Find(kind, name)
		if item == nil {
			d.Items = append(d.Items, Item{Kind: kind, Name: name, Status: Changed})
			item = &d.Items[len(d.Items)-1]
		}
		message := fmt.Sprintf("listed %d times; hosts differ in which definition they use", now[name])
		item.Changes = append(item.Changes, Change{Kind: "duplicate", Path: "/" + key, Verdict: Meaning,
			Basis: "rule: duplicate", Message: message})
		item.Suspicions = append(item.Suspicions, Suspicion{Rule: "SEC-106", Path: "/" + key, Message: message})
	}
}

func asciiOnly(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// skeleton is the same text for names that look the same.
func skeleton(name string) string {
	mapped := strings.Map(func(r rune) rune {
		if alike, ok := lookAlikes[r]; ok {
			return alike
		}
		if unicode.In(r, unicode.Mn, unicode.Cf) {
			return -1
		}
		return r
	}, norm.NFKD.String(name))
	return strings.ReplaceAll(strings.ReplaceAll(mapped, "rn", "m"), "vv", "w")
}

// lookAlikes are the characters that are most often taken for others.
var lookAlikes = func() map[rune]rune {
	all := map[rune]rune{}
	pairs := "аaеeоoрpсcхxуyіiјjѕsԁdһhԛqԝwкkмmтtвbнhгrАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅS" + // Cyrillic
		"αaοoρpνvιiκkτtυuγyχxΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX" + // Greek
		"0O1lIl|lɑaɡgɩiıi‐-‑-–-—-―-−-＿_"
	runes := []rune(pairs)
	for i := 0; i+1 < len(runes); i += 2 {
		all[runes[i]] = runes[i+1]
	}
	return all
}()
