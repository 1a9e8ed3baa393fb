package words

import "github.com/mcptest-dev/mcptest/internal/lazyregexp"

var (
	// failures matches messages that say only that something failed.
	failures = lazyregexp.New(`(?i)\binternal\b|\bunexpected\b|went wrong|\bfail(?:ed|ure)?\b|\berror\b|\bexception\b|` +
		`\b(?:could|can) ?not\b|\bcan't\b|\bcouldn't\b|\bunable\b|\bproblem\b`)
	// explanations matches messages that say what is wrong with a call, or that it may succeed later.
	explanations = lazyregexp.New(`(?i)invalid|illegal|not (?:a |an )?(?:found|allowed|supported|known|valid|available|permitted|open|a)\b|` +
		`no such|unknown|unsupported|must|should|expect(?:s|ed)?\b|required|missing|character|letter|symbol|bracket|parenthes|quot(?:e|ation)|` +
		`format|syntax|pars(?:e|ing)|pattern|reg.?ex|malformed|too (?:long|short|many|few|large|small|late|early)|empty|` +
		`at (?:least|most)|\bonly\b|\bno \w+|\bnone\b|nothing|exists?\b|` +
		`\b(?:date|day|month|year|past|future|weekend|holiday|leap|before|after|between|range|closed)s?\b|` +
		`rate.?limit|quota|throttl|time.?out|timed out|network|connect|unavailable|busy|overload|try again|retry|temporar|` +
		`permission|denied|forbidden|authori[sz]|auth\b|login|sign.?in|token|credential|api.?key|licen[cs]e`)
)

// maxUnexplained is the length of messages without a reason.
const maxUnexplained = 200

// GiveNoReason reports whether a message says only that something failed: neither what is wrong nor what to do.
func GiveNoReason(said string) bool {
	return len(said) <= maxUnexplained && failures().MatchString(said) && !explanations().MatchString(said)
}

var demands = lazyregexp.New(`(?i)\b(?:missing|required|mandatory|must (?:be ` +
	`(?:provided|given|set|specified|supplied|present)|not be empty|specify|provide)|cannot be ` +
	`(?:empty|blank|null)|not (?:provided|specified|supplied))\b`)

// Demand reports whether a message says that an argument is missing.
func Demand(said string) bool { return len(said) <= MaxMessage && demands().MatchString(said) }

// requests matches messages that ask for an argument.
var requests = lazyregexp.New(`(?i)\b(?:please|specify|provide|supply|choose|select|enter|pass|needs?|needed|requires?|` +
	`required|missing|mandatory)\b`)

// MayRequest reports whether a message may ask for an argument: whether it helps to add the argument is to be tried.
func MayRequest(said string) bool { return requests().MatchString(said) }

// unsupported matches messages that reject a value of a list.
var unsupported = lazyregexp.New(`(?i)\b(?:un(?:supported|known|recogni[sz]ed|implemented)|not (?:yet )?(?:a )?` +
	`(?:supported|recogni[sz]ed|implemented|known)|invalid (?:value|option|choice|argument|parameter)|` +
	`(?:must|should) be (?:one of|either)|expected one of|(?:allowed|valid|supported) (?:values|options) are|can(?:not|'t| not))\b|` +
	`\b(?:allowed|valid|supported|available)(?: \w+)?: `)

// RejectValue reports whether a message says that a value is unknown or not supported.
func RejectValue(said string) bool { return unsupported().MatchString(said) }

// limits matches messages of servers that limit calls on purpose.
var limits = lazyregexp.New(`(?i)rate.?limit|quota|too many requests|slow down|throttl|no more (?:pages|items|results)`)

// LimitCalls reports whether a message is about the number of calls.
func LimitCalls(said string) bool { return limits().MatchString(said) }
