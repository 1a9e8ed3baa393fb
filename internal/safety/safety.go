// Package safety decides which tools may be called automatically, without being named by the user: by check, fuzz,
// conform, load and init. A tool must declare readOnlyHint, and neither its name nor its description may contradict it.
package safety

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Call limits.
const (
	Unlimited      = math.MaxInt
	OpenWorldCalls = 5 // of a tool that affects external systems (openWorldHint), where each call may cost money
)

// A Verdict is how often a tool may be called automatically.
type Verdict struct {
	Calls int    // 0 for none
	Why   string // why none, or only a few; empty for Unlimited
}

// Of evaluates a tool by its definition.
func Of(tool json.RawMessage) Verdict {
	if !hint(tool, "readOnlyHint") {
		if value, _ := schema.Get(tool, "/annotations/readOnlyHint"); string(value) == "false" {
			return Verdict{Why: "readOnlyHint is false"}
		}
		return Verdict{Why: "no readOnlyHint"}
	}
	if hint(tool, "destructiveHint") {
		return Verdict{Why: "readOnlyHint and destructiveHint are both true"}
	}
	if why := suspicion(tool); why != "" {
		return Verdict{Why: "readOnlyHint, but " + why}
	}
	return bounded(tool)
}

// A Permit is what the user allows beyond the safe tools.
type Permit struct {
	All         bool     // every tool, without a limit
	Tools       []string // these tools, without a limit
	Unannotated bool     // tools with neither readOnlyHint nor destructiveHint
}

// Of evaluates a tool by its definition and by what the user allows.
func (p Permit) Of(tool json.RawMessage) Verdict {
	switch {
	case p.All || slices.Contains(p.Tools, text(tool, "/name")):
		return Verdict{Calls: Unlimited}
	case p.Unannotated && !has(tool, "readOnlyHint") && !has(tool, "destructiveHint"):
		return bounded(tool)
	}
	return Of(tool)
}

// Reads reports whether a tool that may be called only reads, as far as it says: by readOnlyHint, or, if it says nothing about
// its effects, by the verb of its name or of its description. A name proves nothing, so it does not decide whether a tool is called.
func Reads(tool json.RawMessage) bool {
	if has(tool, "readOnlyHint") || has(tool, "destructiveHint") {
		return hint(tool, "readOnlyHint")
	}
	if suspicion(tool) != "" {
		return false
	}
	name, sentence := words(text(tool, "/name")), firstSentence(text(tool, "/description"))
	if len(name) < 2 || !slices.Contains(changesOrNouns, name[0]) || addsChange(name) { // of commit_log, the description decides
		for i, word := range name {
			switch {
			case i <= 1 && isReading(word):
				return !addsChange(name[i+1:]) // what follows is the object: get_order
			case isChange(word):
				return false
			}
		}
	}
	for _, word := range sentence {
		if !slices.Contains(openings, word) {
			return isReading(strings.TrimSuffix(word, "s")) && !addsChange(sentence)
		}
	}
	return false
}

// addsChange reports whether words add a verb that changes something: get_or_create_user.
func addsChange(all []string) bool {
	for i := 1; i < len(all); i++ {
		if link := all[i-1]; (link == "and" || link == "or" || link == "then") && (isChange(all[i]) || isChange(strings.TrimSuffix(all[i], "s"))) {
			return true
		}
	}
	return false
}

func isReading(word string) bool {
	return word == "return" || slices.Contains(reads, word) || slices.Contains(asks, word)
}

func isChange(word string) bool {
	return slices.Contains(changes, word) || slices.Contains(writes, word) || slices.Contains(destroys, word)
}

// Verbs that change something, beyond those that make a tool with readOnlyHint doubtful.
var changes = []string{
	"add", "set", "put", "post", "patch", "push", "pop", "move", "mark", "record", "register", "book", "reserve", "order", "place",
	"start", "stop", "enable", "disable", "assign", "clear", "close", "open", "reopen", "merge", "complete", "finish", "toggle", "vote",
	"like", "rate", "comment", "reply", "log", "store", "import", "sync", "schedule", "apply", "change", "adjust", "increment", "subscribe",
	"unsubscribe", "join", "leave", "invite", "grant", "lock", "unlock", "claim", "accept", "reject", "resolve", "pin", "commit", "run",
	"execute", "trigger", "launch", "make", "share", "connect", "disconnect", "login", "logout", "turn", "switch", "play", "pause",
	"use", "redeem", "consume", "take", "borrow", "give", "swap", "link", "attach", "detach", "acknowledge", "dismiss", "snooze", "track",
}

// changesOrNouns are those of them that are also nouns, at the start of names such as commit_log and order_status.
var changesOrNouns = []string{
	"post", "record", "book", "order", "place", "vote", "rate", "comment", "reply", "log", "store", "import", "schedule", "change", "lock",
	"claim", "pin", "commit", "run", "share", "play", "link", "track",
}

// bounded evaluates a tool that may be called: without a limit, unless it affects external systems.
func bounded(tool json.RawMessage) Verdict {
	if hint(tool, "openWorldHint") {
		return Verdict{Calls: OpenWorldCalls, Why: fmt.Sprintf("openWorldHint: at most %d calls", OpenWorldCalls)}
	}
	return Verdict{Calls: Unlimited}
}

// base returns a verb without the ending of the third person. What is created is often only the result: "Create a
// buffer zone".
func base(word string) string {
	verb := strings.TrimSuffix(word, "s")
	if strings.HasPrefix(verb, "create") {
		return ""
	}
	return verb
}

// Verbs that no read-only tool performs: they destroy, send, spend or change what others see.
var destroys = []string{
	"delete", "drop", "remove", "erase", "destroy", "purge", "wipe", "truncate", "uninstall", "overwrite", "format",
	"send", "publish", "broadcast", "tweet", "email", "sms", "pay", "buy", "purchase", "transfer", "withdraw", "refund",
	"charge", "donate",
	"deploy", "revoke", "terminate", "kill", "shutdown", "reboot", "ban", "unpublish",
}

// Verbs that usually change something. A tool that creates a chart may still be read-only, so the hint is doubtful, not
// false.
var writes = []string{
	"create", "update", "insert", "write", "upload", "cancel", "reset", "edit", "modify", "rename", "approve", "submit",
	"archive", "install", "restart", "replace", "save", "append",
}

// Verbs that are as often nouns. After another word they may be what that word reads: bank_transfer, last_refund.
var verbsOrNouns = []string{
	"transfer", "refund", "charge", "purchase", "pay", "buy", "tweet", "broadcast", "ban", "drop", "deploy", "reboot",
	"shutdown", "format", "email", "sms",
	"update", "archive", "reset", "edit", "upload", "install",
}

// Verbs that only read what follows them, and words that only nouns follow: quote_transfer, last_update.
var asks = []string{
	"quote", "calc", "forecast", "predict", "price", "evaluate", "assess", "monitor", "watch", "scan", "detect",
	"classify", "identify", "extract", "discover", "enumerate", "peek", "look", "display", "filter", "sort", "recommend",
	"audit", "measure", "sum", "what", "which", "when", "who", "how",
}

var onlyBeforeNouns = []string{"last", "latest", "recent", "next", "pending", "current", "past", "previous", "upcoming"}

// Words after which the rest of a name is an object: get_merge_request reads.
var reads = []string{
	"get", "list", "search", "find", "read", "fetch", "query", "show", "describe", "check", "count", "view", "lookup",
	"preview", "validate",
	"explain", "is", "has", "can", "compare", "analyze", "analyse", "simulate", "plan", "estimate", "draft", "inspect",
	"browse", "load", "parse",
	"retrieve", "select", "test", "verify", "export", "download", "calculate", "compute", "convert", "summarize",
	"suggest", "dry", "render", "diff",
}

// Nouns that turn the verb before them into a part of the object: transfer_status, deployPlan.
var nouns = []string{
	"plan", "status", "preview", "history", "log", "logs", "list", "info", "count", "estimate", "state", "summary",
	"policy", "quote", "options",
	"schema", "template", "templates", "details", "stats", "statistics", "report", "limits", "fee", "fees", "methods",
	"rules", "types", "schedule",
	"age", "size", "string", "date", "number", "text", "code", "json", "address", "id", "ids", "theory", "requests", "request",
	"cost", "costs", "price", "prices", "rate", "rates", "time", "times", "eligibility", "trend", "trends", "metrics",
}

// Verbs that stay verbs even before such a noun: delete_report deletes.
var plain = []string{"delete", "drop", "remove", "erase", "send", "destroy", "purge"}

// What is sent in order to read: send_query, "Sends a GET request".
var carriers = []string{"request", "requests", "query", "queries", "ping", "get", "head", "http", "https", "log",
	"logs", "notification", "notifications", "progress", "prompt"}

// What a name with "format" erases. Other tools with that verb only write a value in another form: format_price.
var storage = []string{"disk", "disks", "drive", "drives", "volume", "partition", "filesystem", "sdcard", "usb", "storage"}

// Parts of a text or of a list. A tool that removes them changes its argument, not what others see: remove_duplicates.
var parts = []string{
	"duplicates", "accents", "diacritics", "whitespace", "spaces", "punctuation", "stopwords", "markup", "html", "vowels",
	"digits", "emojis", "newlines", "linebreaks", "commas", "substring", "outliers", "nulls", "blanks", "indentation",
}

// What follows verbs that only rewrite a text or a value then: replace_word, insert_commas, write_number.
var rewritten = map[string][]string{
	"remove":  parts,
	"drop":    parts,
	"insert":  {"commas", "spaces", "newlines", "linebreaks", "hyphens"},
	"replace": {"word", "words", "substring", "whitespace", "accents", "spaces", "pattern", "regex", "umlauts"},
	"write":   {"number", "numbers"},
}

// rewrites reports whether a verb with the words that follow it only makes another text, list or value.
func rewrites(verb string, rest []string) bool {
	return slices.ContainsFunc(rest, func(word string) bool { return slices.Contains(rewritten[verb], word) })
}

// isNoun reports whether a word of a name is a noun there rather than a verb: format_price, email_lookup, quote_transfer.
func isNoun(name []string, at int) bool {
	if at > 0 && slices.Contains(verbsOrNouns, name[at]) &&
		(slices.Contains(asks, name[0]) && !isUpdate(name[at]) || slices.Contains(onlyBeforeNouns, name[at-1])) {
		return true
	}
	rest := name[at+1:]
	among := func(list []string) bool {
		return slices.ContainsFunc(rest, func(word string) bool { return slices.Contains(list, word) })
	}
	switch name[at] {
	case "format":
		return !among(storage)
	case "email", "sms":
		return among(reads)
	}
	return false
}

// isUpdate reports whether a word is a verb after the name of what it changes: forecast_update.
func isUpdate(word string) bool { return slices.Contains(writes, word) }

// firstVerb returns the verb of a name, if it is one of the given verbs.
func firstVerb(name, verbs []string) string {
	if len(name) > 1 && slices.Contains(nouns, name[len(name)-1]) && !slices.Contains(plain, name[0]) {
		return "" // transfer_status
	}
	if len(name) > 1 && name[0] == "send" && slices.Contains(carriers, name[1]) {
		return ""
	}
	for i, word := range name {
		switch {
		case slices.Contains(reads, word):
			return ""
		case slices.Contains(verbs, word) && !isNoun(name, i):
			if rewrites(word, name[i+1:]) {
				return ""
			}
			return word
		case i == 2:
			return "" // a server name and an area may come before the verb
		}
	}
	return ""
}

// sentenceVerb returns the verb at the start of the first sentence of a description, or one that it adds with "and", if
// it is destructive.
func sentenceVerb(description string) string {
	all, at := destructive(description)
	if at < 0 {
		return ""
	}
	return all[at]
}

// destructive returns the words of the first sentence of a description, and which of them is that verb; -1 if none is.
func destructive(description string) ([]string, int) {
	all := firstSentence(description)
	begin := 0
	for begin < len(all) && (slices.Contains(openings, all[begin]) || strings.HasSuffix(all[begin], "ly")) {
		begin++
	}
	if begin < len(all) && infinitive(all[begin]) != "" && !carries(all[begin:]) && !rewritesArgument(all[begin:]) {
		return all, begin
	}
	for i := begin + 1; i < len(all); i++ {
		if (all[i-1] == "and" || all[i-1] == "then") && slices.Contains(added, all[i]) && !carries(all[i:]) {
			return all, i
		}
	}
	return all, -1
}

// firstSentence is the words of the first sentence of a description in lower case.
func firstSentence(description string) []string {
	sentence, _, _ := strings.Cut(strings.TrimSpace(description), ". ")
	sentence, _, _ = strings.Cut(sentence, "\n")
	return strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool { return !unicode.IsLetter(r) })
}

// Verbs that a sentence may add. Others have harmless meanings there: "divides and drops the fraction".
var added = []string{"deletes", "erases", "destroys", "sends", "pays", "buys", "purchases", "publishes"}

// carries reports whether words start with sending something that only reads.
func carries(all []string) bool {
	return infinitive(all[0]) == "send" && slices.ContainsFunc(all[1:min(len(all), 5)],
		func(word string) bool { return slices.Contains(carriers, word) })
}

// Words that can come before the verb of a description.
var openings = []string{"this", "tool", "to", "use", "used", "it", "will", "can", "that", "which", "allows", "you",
	"lets", "a", "the", "function"}

// infinitive returns the base form of a verb form; empty if it is not destructive.
func infinitive(word string) string {
	for _, verb := range destroys {
		if verb == "format" || verb == "email" || verb == "sms" {
			continue // nouns at the start of many descriptions
		}
		if word == verb || word == verb+"s" || word == verb+"es" || word == verb+"ps" {
			return verb
		}
	}
	return ""
}

// words splits a name at every non-letter, and at case changes.
func words(name string) []string {
	var all []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			all = append(all, strings.ToLower(string(word)))
			word = nil
		}
	}
	previous := ' '
	for _, r := range name {
		if !unicode.IsLetter(r) || unicode.IsUpper(r) && unicode.IsLower(previous) {
			flush()
		}
		if unicode.IsLetter(r) {
			word = append(word, r)
		}
		previous = r
	}
	flush()
	return all
}

func hint(tool json.RawMessage, name string) bool {
	value, _ := schema.Get(tool, "/annotations/"+name)
	return string(value) == "true"
}

func has(tool json.RawMessage, hint string) bool {
	_, found := schema.Get(tool, "/annotations/"+hint)
	return found
}

func text(tool json.RawMessage, pointer string) string {
	value, _ := schema.Get(tool, pointer)
	found, _ := schema.Text(value)
	return found
}
