package exposure

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// Texts that are longer may be data about failures.
const (
	longFailure  = 2000
	shortFailure = 300
)

// plainFailure matches the start of a short text that reports a failure in words. "Error is the price of progress" does not.
var plainFailure = compile(`^(?:❌ ?)?(?:(?:Error|ERROR|Exception|Failed|Failure): ?(?:-?\d+|[a-zA-Z])|(?:Error|ERROR) (?:-?\d+|\w+ing |\w+(?: \w+){0,3}: ` +
	`|(?:in|while|at|from|on|during|when|code|occurred)\b)|(?:Failed|Failure) (?:to\b|-?\d+|\w+ing |\w+ ))`)

// aboutFailures matches the start of a text that has failures as its subject: "Error rate: 0.2 %", "Failed logins: 3", "ERROR: 3, WARN: 5".
var aboutFailures = compile(`^(?:❌ ?)?(?:\w+: ?\d+(?:[,;|] ?|\n)\w+: ?\d+\b|(?:Error|ERROR|Exception|Failure)s? (?:rates?|counts?|logs?|budgets?|margins?|handling|` +
	`tracking|trends?|statistics|stats|analysis|distribution|percentage|ratio|summary|free)\b|` +
	`Failed (?:log-?ins?|jobs?|tests?|builds?|payments?|attempts?|requests?|tasks?|items?|orders?|deliver(?:y|ies)|checks?|runs?|` +
	`transactions?|deployments?)(?::| (?:this|last|in|per|by|since)\b)|` +
	`[^.\n]{1,100} (?:is|are|was|were) (?:shown|displayed|returned|sent|raised|thrown|logged|used|reported|the)\b)`)

// introductions match what comes before an exception in the report of a failure: "Unexpected error: ". The date of a log entry
// and the key of a member of JSON do not.
var introductions = compile(`(?i)^(?:❌ ?)?(?:[\w'` + "`" + `.-]+ ){0,8}(?:error|errors|failed|failure|exception|crashed|panicked|[\w.-]+)\)?(?::| -| \() ?["'(]?$`)

// frames match a line that follows an exception in the report of a failure: a frame of the stack, a cause or a hint. Other lines
// are those of a log.
var frames = compile(`^(?:\s.*|at .*|Caused by:.*|goroutine .*|[\w./-]+\(.*|stack:.*|Stack:.*|File .*|[Ff]ull error.*|\[.*|[Pp]lease .*|[Ss]ee .*|[Hh]int.*|)$`)

// errorPage matches the page of a web server or proxy that says that a request failed.
var errorPage = compile(`(?is)^\s*(?:<!doctype html[^>]*>\s*)?<html.{0,300}<title>\s*(?:error |http )?[45]\d\d\b`)

// FindFailure returns the start of a text that reports that the call failed, in words, as an exception or as JSON;
// empty if it does not.
func FindFailure(text string) string {
	switch {
	case len(text) > longFailure:
		return ""
	case strings.HasPrefix(strings.TrimSpace(text), "<") && errorPage().MatchString(text):
		return start(text, 100)
	case strings.HasPrefix(text, "Traceback (most recent call last)"):
		return start(text, 60)
	case isJSON(text):
		if len(text) <= shortFailure && failureObject(text) {
			return start(text, 100)
		}
		return "" // whatever its values say, it is data
	case len(text) <= shortFailure && plainFailure().MatchString(text) && !aboutFailures().MatchString(text):
		return start(text, 100)
	}
	begins := slices.ContainsFunc([]string{"Error:", "Error executing", "Exception:", "Uncaught "},
		func(p string) bool { return strings.HasPrefix(text, p) })
	if found, ok := FindException(text); ok && (begins || found.Sure && len(text) < 200 && consistsOf(text, found.Found)) {
		return start(text, 100)
	}
	return ""
}

// isJSON reports whether a text is an object or an array of JSON.
func isJSON(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && strings.Contains("{[", text[:1]) && json.Valid([]byte(text))
}

// consistsOf reports whether a text is an exception with no more than an introduction and its stack.
func consistsOf(text, exception string) bool {
	before, _, _ := strings.Cut(text, exception)
	if before != "" && !introductions().MatchString(before) {
		return false
	}
	lines := strings.Split(strings.TrimSpace(text[len(before):]), "\n")
	return !slices.ContainsFunc(lines[1:], func(line string) bool { return !frames().MatchString(line) })
}

// failureNames are in the names of tools whose results are about failures.
var failureNames = strings.Fields(`error errors failure failures exception exceptions log logs crash crashes trace traces
	stacktrace traceback tracebacks diagnostics`)

// requested matches words in arguments for which a tool returns texts about failures.
var requested = compile(`(?i)error|fail|exception`)

var statusNumbers = compile(`\b[1-5]\d\d\b`)

// RequestsFailure reports whether the arguments of a call request a text about a failure: they name one, or contain the status in it,
// such as 404 in "Error 404: Not Found".
func RequestsFailure(arguments []byte, found string) bool {
	status := statusNumbers().FindString(found)
	return requested().Match(arguments) ||
		status != "" && slices.Contains(statusNumbers().FindAllString(string(arguments), -1), status)
}

// AboutFailures reports whether a tool, by its name, returns texts about failures.
func AboutFailures(tool string) bool {
	return slices.ContainsFunc(nameWords(tool), func(word string) bool { return slices.Contains(failureNames, word) })
}

// denial matches a sentence that says that something does not exist.
var denial = compile(`(?i)\b(?:not found|unknown|no such|does(?: not|n't) exist|there is no|could(?: not|n't) (?:be )?f(?:i|ou)nd|` +
	`cannot find|no \w+ (?:named|called|with (?:the )?(?:id|name|key)))\b`)

// DeniesExistence reports whether a text is a short sentence that says that something does not exist.
func DeniesExistence(text string) bool { return len(text) <= shortDenial && denial().MatchString(text) }

// shortDenial is the length of a text that says only that, with a name or two.
const shortDenial = 200

// failureObject reports whether a text is a JSON object that says that the call failed: it has an error, and says that
// there was no success or nothing else.
func failureObject(text string) bool {
	var object map[string]any
	if !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &object) != nil {
		return false
	}
	said, _ := object["error"].(string)
	inner, _ := object["error"].(map[string]any)
	if said == "" && len(inner) == 0 {
		return false
	}
	return object["success"] == false || object["ok"] == false || object["status"] == "error" ||
		object["status"] == "failed" || len(object) == 1
}

// start returns the first characters of a text.
func start(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}

// SaysWhatFailed reports whether the message of an internal error says what failed: it has words beside the usual ones.
func SaysWhatFailed(message string) bool {
	return len(strings.Fields(usualWords().Regexp.ReplaceAllString(message, " "))) > 1
}

// usualWords are those of internal errors that say nothing more.
var usualWords = compile(`(?i)\b(?:internal|server|unexpected|unknown|error|json-?rpc|mcp|an?|the|occurred|has|tool|failed|call|execution|` +
	`something|went|wrong|-?\d+)\b|[^\w\s]+`)
