package lint

import (
	"encoding/json"
	"math"
	"strings"
	"sync"
	"unicode"
)

// A Score rates from 0 to 1 how much a tool's description helps a model to choose and call it. It is the mean of six
// heuristics, each from 0 to 1:
//
//   - length: 0 for up to two words, full from twelve words on, down to half beyond 400.
//   - distinct: the share of the description's words that are not in the name; full from half on.
//   - action: a verb in the first sentence states what the tool does.
//   - parameters: the share of the input's properties that have a description; full if there are none.
//   - context: it describes when to use the tool, what it returns, what it needs or what it does not do.
//   - clean: no placeholder text, no all-caps text, no text that is only markup.
//
// The heuristics support English only. They work well to compare versions of a catalog and rate a single tool roughly.
type Score struct {
	Length     float64 `json:"length"`
	Distinct   float64 `json:"distinct"`
	Action     float64 `json:"action"`
	Parameters float64 `json:"parameters"`
	Context    float64 `json:"context"`
	Clean      float64 `json:"clean"`
	Total      float64 `json:"total"`
}

// ScoreOf scores a tool definition. Without a description a tool scores 0 in all but its parameters.
func ScoreOf(definition json.RawMessage) Score {
	t := newTool(definition, 0, 0)
	t.Input = t.document("inputSchema")
	t.words = wordsOf(t.Description())
	return scoreOf(t)
}

func scoreOf(t *Tool) Score {
	description := t.Description()
	words := t.words
	s := Score{Parameters: scoreParameters(t)}
	if len(words) > 0 {
		s.Length = scoreLength(len(words))
		s.Distinct = scoreDistinct(words, nameWords(t.Name))
		s.Action = scoreAction(firstSentence(description))
		lower := strings.ToLower(description)
		s.Context, s.Clean = scoreContext(lower), scoreClean(description, lower)
	}
	sum := s.Length + s.Distinct + s.Action + s.Parameters + s.Context + s.Clean
	s.Total = math.Round(sum/6*1000) / 1000
	return s
}

func scoreLength(words int) float64 {
	switch {
	case words <= 2:
		return 0
	case words > 400:
		return 0.5
	}
	return min(1, float64(words-2)/10)
}

func scoreDistinct(words, name []string) float64 {
	known := map[string]bool{}
	for _, w := range name {
		known[w] = true
	}
	fresh := 0
	for _, w := range words {
		if !known[w] {
			fresh++
		}
	}
	return min(1, 2*float64(fresh)/float64(len(words)))
}

func scoreParameters(t *Tool) float64 {
	if t.Input == nil || t.Input.Root() == nil {
		return 1
	}
	total, described := 0, 0
	for _, p := range t.Input.Root().Declared() {
		total++
		if text, _ := p.Followed().Text("description"); hasDescription(p) || strings.TrimSpace(text) != "" {
			described++
		}
	}
	if total == 0 {
		return 1
	}
	return float64(described) / float64(total)
}

func hasDescription(p *Subschema) bool {
	text, ok := p.Text("description")
	return ok && strings.TrimSpace(text) != ""
}

// scoreAction looks for a verb: the first word, or any word that starts with a common tool verb.
func scoreAction(sentence string) float64 {
	words := wordsOf(sentence)
	for i, w := range words {
		if verbs()[w] {
			if i < 3 {
				return 1
			}
			return 0.75
		}
	}
	return 0
}

// verbs holds each verb of toolVerbs and its third person.
var verbs = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, verb := range strings.Fields(toolVerbs) {
		known[verb], known[verb+"s"], known[verb+"es"] = true, true, true
		if stem, ok := strings.CutSuffix(verb, "y"); ok {
			known[stem+"ies"] = true
		}
	}
	return known
})

const toolVerbs = `get list read fetch retrieve search find query look lookup create add insert write make build generate
produce update edit modify change set patch put replace rename move copy delete remove drop clear cancel stop start run
execute invoke call send post publish submit upload download import export convert translate transform parse format
extract analyze analyse compute calculate count compare check validate verify test evaluate return show display describe
explain summarize summarise open close connect disconnect enable disable register subscribe unsubscribe scan monitor
track watch wait take capture record save store load restore reset resize render draw plot navigate click type fill
select press scroll apply approve assign attach detach merge split join sort filter group resolve provide allow perform
manage use obtain determine estimate predict classify detect identify rank score recommend suggest schedule trigger
retry refresh sync commit push pull clone fork deploy install uninstall configure initialize initialise authenticate
log trace debug inspect browse crawl scrape index embed store archive unarchive pin unpin mark flag report lock unlock
invite reply respond comment share grant revoke rotate sign encrypt decrypt hash encode decode compress expand simulate
solve plan design draft review append prepend map mint burn swap transfer pay charge refund convert echo ping print`

func scoreContext(lower string) float64 {
	score := 0.0
	for _, group := range [][]string{
		{"return", "result", "output", "respond", "provides", "gives", "list of", "json"},
		{"use this", "use when", "when ", "useful", "for example", "e.g.", "example", "if you", "such as"},
		{"require", "must", "need", "only", "cannot", "not ", "limit", "default", "optional", "before", "after"},
	} {
		for _, sign := range group {
			if strings.Contains(lower, sign) {
				score++
				break
			}
		}
	}
	return min(1, score/2)
}

func scoreClean(description, lower string) float64 {
	for _, filler := range []string{"todo", "tbd", "fixme", "lorem ipsum", "no description", "description here",
		"placeholder"} {
		if strings.Contains(lower, filler) {
			return 0
		}
	}
	if shouting(description) {
		return 0.5
	}
	return 1
}

// shouting reports whether more than half of the letters are capitals.
func shouting(s string) bool {
	upper, letters := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
			if unicode.IsUpper(r) {
				upper++
			}
		}
	}
	return letters > 10 && upper*2 > letters
}

func firstSentence(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, ".\n!?"); i > 0 {
		return s[:i]
	}
	return s
}
