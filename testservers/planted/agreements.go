package planted

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// agreements are servers whose results do not agree with their arguments, their schema or their transport.
func agreements() []Creature {
	wide := func(a json.RawMessage) bool {
		return strings.IndexFunc(text(a, "name"), func(r rune) bool { return r >= utf8.RuneSelf }) >= 0
	}
	wait := object(`"name":{"type":"string"},"wait":{"type":"integer","minimum":0,"maximum":60}`, `"name"`)
	order := object(`"name":{"type":"string"},"order":{"type":"string","enum":["up","down"],"default":"up"}`, `"name"`)
	sorted := object(`"sort":{"type":"string","enum":["title","year","rating"]},"name":{"type":"string"}`, `"sort"`)
	described := object(`"sort":{"oneOf":[{"const":"title","description":"A to Z"},{"const":"rating"}]}`, `"sort"`)
	return []Creature{
		{Name: "logs to stdout", input: free, Rule: "FUZZ-016", Smallest: `{"name":"é"}`,
			work: when(wide, func(*server) string { fmt.Println("name is not ASCII"); return fine })},
		{Name: "cuts inside a letter", input: free, Rule: "FUZZ-017", Smallest: `{"name":"漢字漢"}`,
			work: func(_ *server, a json.RawMessage) string {
				name := text(a, "name")
				return said(name[:min(8, len(name))])
			}},
		{Name: "reads UTF-8 as Latin-1", input: free, Rule: "FUZZ-017", Smallest: `{"name":"aaé"}`,
			work: func(_ *server, a json.RawMessage) string {
				var misread []rune
				for _, b := range []byte(text(a, "name")) {
					misread = append(misread, rune(b))
				}
				return said(string(misread))
			}},
		{Name: "evaluates an argument", input: free, Rule: "FUZZ-020", Smallest: `{"name":"83992-'xx'.__len__()"}`,
			work: func(_ *server, a json.RawMessage) string {
				var x int
				if n, err := fmt.Sscanf(text(a, "name"), "%d-'xx'.__len__()", &x); n == 1 && err == nil {
					return said(fmt.Sprint(x - len("xx")))
				}
				return said(text(a, "name"))
			}},
		{Name: "reads any path", input: free, Rule: "FUZZ-020", Smallest: `{"name":"../etc/passwd"}`,
			work: when(func(a json.RawMessage) bool { return strings.HasSuffix(text(a, "name"), "../etc/passwd") },
				func(*server) string { return said("root:x:0:0:root:/root:/bin/sh\n") })},
		{Name: "replaces with an argument", input: free, Rule: "FUZZ-017", Smallest: `{"name":"zq$$zq"}`,
			work: func(_ *server, a json.RawMessage) string {
				return said("Dear " + strings.NewReplacer("$$", "$", "$&", "{}").Replace(text(a, "name")))
			}},
		{Name: "formats an argument", input: free, Rule: "FUZZ-020", Smallest: `{"name":"{0.__class__}"}`,
			work: when(func(a json.RawMessage) bool { return strings.Contains(text(a, "name"), "{0.__class__}") },
				func(*server) string { return said("Dear <class 'letters.Customer'>") })},
		{Name: "opens a file by URL", input: object(`"url":{"type":"string","format":"uri"}`, `"url"`), Rule: "FUZZ-020",
			Smallest: `{"url":"file:///etc/passwd"}`,
			work: when(func(a json.RawMessage) bool { return text(a, "url") == "file:///etc/passwd" },
				func(*server) string { return said(`{"title":"","excerpt":"root:x:0:0:root:/root:/bin/sh"}`) })},
		{Name: "garbles long texts", input: object(`"name":{"type":"string"}`, `"name"`), Rule: "FUZZ-017",
			Smallest: `{"name":"é` + strings.Repeat("漢", chunk/3) + `"}`,
			work: func(_ *server, a json.RawMessage) string {
				name := text(a, "name")
				for at := chunk; at < len(name); at += chunk {
					if !utf8.RuneStart(name[at]) {
						return said(name[:at] + "\uFFFD" + name[at:])
					}
				}
				return said(name)
			}},
		{Name: "removes ../ once", input: free, Rule: "FUZZ-020", Smallest: `{"name":"....//etc/passwd"}`,
			work: when(func(a json.RawMessage) bool {
				return strings.HasSuffix(strings.ReplaceAll(text(a, "name"), "../", ""), "../etc/passwd")
			}, func(*server) string { return said("root:x:0:0:root:/root:/bin/sh\n") })},
		{Name: "runs a command in quotes", input: free, Rule: "FUZZ-020",
			Smallest: `{"name":"\";expr 83992 - xx : xx"}`,
			work: func(_ *server, a json.RawMessage) string {
				var x int
				_, after, _ := strings.Cut(text(a, "name"), `"`)
				_, command, _ := strings.Cut(after, ";")
				if n, _ := fmt.Sscanf(strings.TrimSpace(command), "expr %d - xx : xx", &x); n == 1 {
					return said(fmt.Sprint(x - len("xx")))
				}
				return said("no line matches")
			}},
		{Name: "pastes into SQL", input: free, Rule: "FUZZ-020", Smallest: `{"name":"' OR 7<8"}`,
			work: func(_ *server, a json.RawMessage) string {
				var x, y int
				var compares rune
				_, statement, _ := strings.Cut(text(a, "name"), "' OR ")
				if n, _ := fmt.Sscanf(statement, "%d%c%d", &x, &compares, &y); n == 3 && (x < y) == (compares == '<') {
					return said("Walden\nDubliners")
				}
				return said("no book has the name " + text(a, "name"))
			}},
		{Name: "shows errors of the database", input: free, Rule: "FUZZ-020", Smallest: `{"name":"'"}`,
			work: when(func(a json.RawMessage) bool { return strings.Count(text(a, "name"), "'")%2 == 1 },
				func(s *server) string { return s.failed(`near "x": syntax error`) })},
		{Name: "fails in words", input: free, Rule: "FUZZ-021", Smallest: `{"name":"é"}`,
			work: when(wide, func(*server) string { return said("Error: no book has this name") })},
		{Name: "fails in JSON", input: free, Rule: "FUZZ-021", Smallest: `{"name":"é"}`,
			work: when(wide, func(*server) string { return said(`{"success": false, "error": "no book has this name"}`) })},
		{Name: "not a number", input: list, Rule: "FUZZ-022", Smallest: `{"items":[]}`,
			work: when(func(a json.RawMessage) bool { return items(a) == 0 },
				func(*server) string { return said(`{"count": 0, "mean": NaN}`) })},
		{Name: "invalid date", input: free, Rule: "FUZZ-024", Smallest: `{"name":"é"}`,
			work: when(wide, func(*server) string { return said("The day is Invalid Date") })},
		{Name: "looks names up in a plain object", input: free, Rule: "FUZZ-024", Smallest: `{"name":"constructor"}`,
			work: when(func(a json.RawMessage) bool { return text(a, "name") == "constructor" },
				func(*server) string { return said("1 book has function Object() { [native code] } pages") })},
		{Name: "counts bytes", input: object(`"name":{"type":"string","maxLength":8}`, `"name"`), Rule: "FUZZ-015",
			Smallest: `{"name":"aéééé"}`,
			work: when(func(a json.RawMessage) bool { return len(text(a, "name")) > 8 },
				func(s *server) string { return s.failed("name must have at most 8 characters") })},
		{Name: "any value in a map", input: object(`"fees":{"type":"object","additionalProperties":{"type":"integer"}}`,
			`"fees"`), Rule: "FUZZ-004", Smallest: `{"fees":{"unexpected_member":""}}`, loose: true,
			work: func(s *server, a json.RawMessage) string {
				var only map[string]json.RawMessage
				if json.Unmarshal(a, &only) != nil || len(only) != 1 || !strings.HasPrefix(string(only["fees"]), "{") {
					return s.failed("fees must be an object, and nothing else is allowed")
				}
				return fine
			}},
		{Name: "rounds an integer", input: object(`"n":{"type":"integer","minimum":0}`, `"n"`), Rule: "FUZZ-023",
			Smallest: `{"n":9223372036854775}`,
			work: func(_ *server, a json.RawMessage) string {
				n, _ := strconv.ParseFloat(text(a, "n"), 64)
				return said("card " + strconv.FormatFloat(n, 'f', -1, 64))
			}},
		{Name: "rounds an identifier in its error", input: object(`"order_id":{"type":"integer","minimum":1,"maximum":9200000000000000000}`,
			`"order_id"`), Rule: "FUZZ-023", Smallest: `{"order_id":9007199254750993}`,
			work: func(s *server, a json.RawMessage) string {
				n, _ := strconv.ParseFloat(text(a, "order_id"), 64)
				return s.failed("no order " + strconv.FormatFloat(n, 'f', -1, 64))
			}},
		{Name: "rounds an identifier that is a text", input: object(`"order_id":{"type":"string","pattern":"^[0-9]{17}$"}`, `"order_id"`),
			Rule: "FUZZ-023", Smallest: `{"order_id":"11111111111111111"}`,
			work: func(s *server, a json.RawMessage) string {
				n, _ := strconv.ParseFloat(text(a, "order_id"), 64)
				return s.failed("no order " + strconv.FormatFloat(n, 'f', -1, 64))
			}},
		{Name: "adds the days to the month", input: object(`"day":{"type":"string","format":"date"}`, `"day"`), Rule: "FUZZ-030",
			Smallest: `{"day":"2025-02-30"}`,
			work: func(s *server, a json.RawMessage) string {
				var year, month, day int
				if n, _ := fmt.Sscanf(text(a, "day"), "%d-%d-%d", &year, &month, &day); n < 3 || day > 31 || month > 12 {
					return s.failed("day must be a date such as 2026-03-14")
				}
				return said(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Format("2006-01-02 (Monday)"))
			}},
		{Name: "reads a code as a number", input: object(`"code":{"type":"string","pattern":"^[0-9]{6}$"}`, `"code"`),
			Rule: "FUZZ-031", Smallest: `{"code":"021345"}`,
			work: func(s *server, a json.RawMessage) string {
				code, _ := strconv.Atoi(text(a, "code"))
				return s.failed(fmt.Sprintf("no place has the code %d", code))
			}},
		{Name: "formats a missing value", input: free, Rule: "FUZZ-024", Smallest: `{"name":""}`,
			work: when(func(a json.RawMessage) bool { return text(a, "name") == "" },
				func(*server) string { return said("Hello %!s(MISSING)") })},
		{Name: "nothing found is null", input: object(`"name":{"type":"string","description":"such as ho"}`, `"name"`), Rule: "FUZZ-033",
			Smallest: `{"name":"a"} then {"name":""} then {"name":"Z"}`,
			work: func(_ *server, a json.RawMessage) string {
				if strings.Contains("hotel", text(a, "name")) {
					return said(`{"tags":["hotel"]}`)
				}
				return said(`{"tags":null}`)
			}},
		{Name: "not JSON", input: list, Rule: "FUZZ-003", Smallest: `{"items":[]}`,
			work: when(func(a json.RawMessage) bool { return items(a) == 0 },
				func(*server) string { return `{"content":[],"structuredContent":{"mean":NaN}}` })},
		{Name: "takes zero for absent", input: wait, Rule: "FUZZ-018", Smallest: `{"name":"","wait":0}`,
			work: when(func(a json.RawMessage) bool { return text(a, "wait") == "0" },
				func(s *server) string { return s.failed("wait is required") })},
		{Name: "needs the optional", input: free, Rule: "FUZZ-018", Smallest: `{"name":""}`,
			work: when(func(a json.RawMessage) bool { return !has(a, "note") },
				func(s *server) string { return s.failed("missing parameter: note") })},
		{Name: "asks for the optional", input: free, Rule: "FUZZ-018", Smallest: `{"name":""}`,
			work: when(func(a json.RawMessage) bool { return !has(a, "note") },
				func(s *server) string { return s.failed("Please specify a note.") })},
		{Name: "rejects a listed value", input: sorted, Rule: "FUZZ-028", Smallest: `{"sort":"rating"}`,
			work: when(func(a json.RawMessage) bool { return text(a, "sort") == "rating" },
				func(s *server) string { return s.failed("Unsupported sort order: rating") })},
		{Name: "rejects a described value", input: described, Rule: "FUZZ-028", Smallest: `{"sort":"rating"}`,
			work: when(func(a json.RawMessage) bool { return text(a, "sort") == "rating" },
				func(s *server) string { return s.failed("rating is not a known order") })},
		{Name: "cannot use a listed value", input: sorted, Rule: "FUZZ-028", Smallest: `{"sort":"rating"}`,
			work: when(func(a json.RawMessage) bool { return text(a, "sort") == "rating" },
				func(s *server) string { return s.failed("Cannot sort by 'rating'. Allowed: price, date") })},
		{Name: "another default", input: order, Rule: "FUZZ-019", Smallest: `{"name":""}`,
			work: func(_ *server, a json.RawMessage) string {
				if !has(a, "order") {
					return said("down")
				}
				return said(text(a, "order"))
			}},
	}
}

// chunk is how much a read from a pipe returns at most.
const chunk = 64 << 10

// said is a result of a text.
func said(text string) string {
	return `{"content":[{"type":"text","text":` + quoted(text) + `}]}`
}
