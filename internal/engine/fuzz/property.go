package fuzz

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Property is something that holds for every answer of a good server.
type Property struct {
	finding.Rule
	Holds func(*sight) *breach // nil where it holds
}

// A sight is what is seen of one call.
type sight struct {
	Case       Case
	Exchange   *mcp.Exchange
	Err        error  // there was no answer
	Late       bool   // it was waited for
	early      bool   // but not as long as it may take
	Status     int    // of an HTTP answer that is no message; 0 elsewhere
	noise      string // the last line that the server wrote to stdout beside messages; empty if it wrote none
	output     *schema.Schema
	properties []string       // the arguments that the tool's schema names
	revision   *spec.Revision // of the session
	fineMeta   *string        // the last metadata of a result that was judged and found fine

	read     bool // the parts of the result are found; an answer may be long, and is gone through once
	complete bool // it says that it is
	plain    bool // it has no other members than these, of the right kinds
	content  json.RawMessage
	meta     json.RawMessage
	failed   bool // it says isError
	data     json.RawMessage
}

// answered reports whether the call has an answer, whatever it says.
func (s *sight) answered() bool {
	return s.Err == nil && s.Exchange != nil && s.Exchange.Reply != nil
}

// parts finds the members of the result that properties look at.
func (s *sight) parts() *sight {
	if s.read || s.Exchange == nil || s.Exchange.Reply == nil {
		return s
	}
	s.read, s.plain = true, true
	members, _ := schema.Members(s.Exchange.Reply.Result)
	for _, m := range members {
		switch m.Name {
		case "content":
			s.content = m.Value
		case "isError":
			s.failed = string(m.Value) == "true"
			s.plain = s.plain && (s.failed || string(m.Value) == "false")
		case "structuredContent":
			s.data = m.Value
			s.plain = s.plain && schema.Kind(m.Value) == '{'
		case "_meta":
			s.meta = m.Value
		case "resultType":
			s.complete = string(m.Value) == `"complete"`
			s.plain = s.plain && s.complete
		default:
			s.plain = false
		}
	}
	return s
}

// A breach is how a property is broken. Two with the same cause are the same defect.
type breach struct {
	cause    string
	message  string
	severity finding.Severity // where it is other than the rule's
}

// The properties, by what they are for. Crashes and hangs come first: nothing else can be told of a call that has no answer.
var properties = []*Property{
	{finding.Rule{ID: "FUZZ-001", Severity: finding.Critical, Doc: "A call ends the server\n\nThe process died or the connection was cut while the call was under way. Every other user of the server loses their session with it. Catch what the input causes and answer with an error."}, noCrash},
	{finding.Rule{ID: "FUZZ-002", Severity: finding.Error, Doc: "A call is never answered\n\nThe server stayed silent for longer than it was given. A host waits a minute and then gives up. Answer, or send progress."}, noHang},
	injectionProperty,
	{finding.Rule{ID: "FUZZ-003", Severity: finding.Error, Doc: "An answer is malformed\n\nThe message departs from JSON-RPC or the result lacks what the protocol requires of it. A strict client drops it, and the call seems to hang."}, wellFormed},
	{finding.Rule{ID: "FUZZ-004", Severity: finding.Error, Doc: "Arguments that the schema forbids are accepted\n\nThe tool's own schema says no, and the server says yes. A model never learns that it was wrong, and the tool works with a value that nobody meant. Validate arguments against the published schema. For members that are merely unknown it is a warning, for a value that is converted without loss (\"1\" for 1) a note."}, refusesInvalid},
	{finding.Rule{ID: "FUZZ-005", Severity: finding.Error, Doc: "Arguments that the schema allows are refused by a protocol error\n\nThe tool's own schema says yes, and the server answers with a JSON-RPC error. Say in the schema what is not allowed, or answer with a result that has isError, which a model can read and react to."}, takesValid},
	{finding.Rule{ID: "FUZZ-006", Severity: finding.Error, Doc: "A result does not keep what the output schema promises\n\nClients validate structured content and throw the result away if it does not fit."}, keepsPromise},
	{finding.Rule{ID: "FUZZ-014", Severity: finding.Error, Doc: "exception in the response to a valid call\n\nThe arguments match the tool's schema, and the tool failed with an exception of its programming language, which the framework turned into a result with isError. The message says nothing that a model can act on, and the bug stays hidden. Handle the value, or restrict the schema and return a message that says what to change. Where the exception may be about the value itself, it is a warning."}, raisesNothing},
	{finding.Rule{ID: "FUZZ-007", Severity: finding.Warning, Doc: "An error tells of the server's inside\n\nA stack trace, a path of the server's disk or a value of its environment stands in an answer. It helps an attacker and tells a model nothing. Log it, and answer with what the caller can do. A secret is an error."}, tellsNothing},
	{finding.Rule{ID: "FUZZ-008", Severity: finding.Warning, Doc: "An error has the wrong class\n\nArguments that are wrong are the caller's fault: -32602, or a result with isError. An internal error (-32603) or a parse error (-32700) says that something else is wrong, and nobody looks at the arguments."}, rightClass},
	garbledProperty,
	demandProperty,
	noiseProperty, // last: a tool that logs to stdout does so in most calls, and would hide everything else
}

// The properties of a server rather than of one call.
var serverRules = []finding.Rule{
	{ID: "FUZZ-009", Severity: finding.Critical, Doc: "The server does not answer any more\n\nAfter the call, a plain request stays without an answer although the process runs. It has to be restarted by hand."},
	{ID: "FUZZ-010", Severity: finding.Warning, Doc: "Memory or open files grow with every call\n\nA server that runs for days runs out of them. Release what a call takes, on the way of errors too."},
	{ID: "FUZZ-011", Severity: finding.Warning, Doc: "The same call gives answers of different shape\n\nA tool that says it is read-only answered the same arguments with other members or types. A client that reads the one breaks on the other."},
	{ID: "FUZZ-012", Severity: finding.Error, Doc: "A frame that is not as it should be ends the server\n\nAnyone who can write to the server can end it, by accident or on purpose. Skip what cannot be read, or answer it with an error. Over HTTP, headers that contradict the body and bodies that come slowly or never end belong here too."},
	{ID: "FUZZ-015", Severity: finding.Error, Doc: "value at the limit of the schema fails\n\nThe schema allows the value, which is exactly at a limit such as maximum or maxLength, and the call failed, while a value just inside worked. Schema and code disagree by one. A model that reads the schema uses the limit. Change one of them."},
	defaultRule,
	{ID: "FUZZ-013", Severity: finding.Warning, Doc: "A session that was ended is still answered\n\nThe server accepted the end of the session (DELETE), and then answered a request with its id. Whoever has an old id goes on with it. Answer 404, so that the client begins anew."},
}

// Rules lists the rules of all properties.
func Rules() []finding.Rule {
	var all []finding.Rule
	for _, p := range properties {
		all = append(all, p.Rule)
	}
	return append(all, serverRules...)
}

// unknownCause stands for the end of a server of which no more is known.
const unknownCause = "gone"

func noCrash(s *sight) *breach {
	if s.Err == nil || s.Late {
		return nil
	}
	cause := unknownCause
	var exit *wire.ExitError
	if errors.As(s.Err, &exit) {
		cause = exit.Error()
	}
	return &breach{cause: cause, message: "the server is gone: " + s.Err.Error()}
}

func noHang(s *sight) *breach {
	if !s.Late {
		return nil
	}
	return &breach{cause: "silence", message: "no answer in the time that a call is given"}
}

func refusesInvalid(s *sight) *breach {
	if s.Case.Allowed || !accepted(s) {
		return nil
	}
	rule, _, _ := strings.Cut(s.Case.Violates, ":")
	b := &breach{cause: rule, message: "accepted, although the schema forbids it: " + s.Case.Violates}
	if s.Case.Coerced {
		b.cause, b.severity = "coercion", finding.Info
		b.message = "a value of another type was converted without loss and accepted: " + s.Case.Violates
	}
	if strings.HasPrefix(rule, "additionalProperties") || strings.HasPrefix(rule, "unevaluatedProperties") {
		b.severity = finding.Warning
	}
	return b
}

// accepted reports whether a call was answered as one that worked.
func accepted(s *sight) bool {
	if s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error != nil {
		return false
	}
	return !s.parts().failed
}

func takesValid(s *sight) *breach {
	if !s.Case.Allowed || s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error == nil {
		return nil
	}
	e := s.Exchange.Reply.Error
	if e.Code == -32021 || e.Code == -32042 { // what it needs is a capability of the client, or a visit to a page
		return nil
	}
	return &breach{cause: fmt.Sprint(e.Code), message: fmt.Sprintf("refused with error %d (%s), although the schema allows it", e.Code, shorten(e.Message))}
}

func keepsPromise(s *sight) *breach {
	if s.output == nil || !accepted(s) {
		return nil
	}
	structured := s.parts().data
	violations := calls.CheckOutput(s.output, structured)
	switch {
	case len(violations) == 0:
		return nil
	case structured == nil:
		return &breach{cause: "missing", message: violations[0].Message}
	}
	return &breach{cause: violations[0].Rule + " " + violations[0].Path, message: "structuredContent: " + violations[0].Message}
}

// tellsNothing looks at errors alone: a tool may well return paths that it was asked for. What the caller sent does not
// count either. A secret is named by its key and never shown.
func tellsNothing(s *sight) *breach {
	if s.Exchange == nil || s.Exchange.Reply == nil || accepted(s) {
		return nil
	}
	if b := keepsSecrets(s); b != nil {
		return b
	}
	said := errorText(s.Exchange.Reply)
	if found, ok := exposure.FindDetail(said); ok && !s.sent(strings.Trim(found.Text, `"'(=[ `+"\n\t")) {
		return &breach{cause: found.What, message: found.What + " stands in the answer: " + shorten(strings.TrimSpace(found.Text))}
	}
	return nil
}

// keepsSecrets is the part of tellsNothing that comes before other properties: a call that should not have failed hides
// nothing of it.
func keepsSecrets(s *sight) *breach {
	if s.Exchange == nil || s.Exchange.Reply == nil || accepted(s) {
		return nil
	}
	said := errorText(s.Exchange.Reply)
	if secret, ok := exposure.FindSecret(said); ok && !s.sent(secret.Text) {
		return &breach{cause: "secret", severity: finding.Error, message: "the error contains a secret: " + secret.What}
	}
	if exposure.Environment(said) {
		return &breach{cause: "environment", severity: finding.Error, message: "the error lists the environment of the process"}
	}
	return nil
}

// sent reports whether a text stands in the arguments.
func (s *sight) sent(text string) bool { return strings.Contains(string(s.Case.Arguments), text) }

// errorText is what an error says: its message and data, or the texts of its content.
func errorText(reply *mcp.Message) string {
	if reply.Error != nil {
		return reply.Error.Message + "\n" + string(reply.Error.Data)
	}
	content, _ := schema.Get(reply.Result, "/content")
	blocks, _ := schema.Elements(content)
	var all []string
	for _, b := range blocks {
		if raw, ok := schema.Get(b, "/text"); ok {
			all = append(all, flat(raw))
		}
	}
	return strings.Join(all, "\n")
}

func rightClass(s *sight) *breach {
	if s.Case.Allowed || s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error == nil {
		return nil
	}
	e := s.Exchange.Reply.Error
	if e.Code == mcp.CodeInternal || e.Code == mcp.CodeParse || e.Code == -32601 {
		return &breach{cause: fmt.Sprint(e.Code), message: fmt.Sprintf("wrong arguments are answered with error %d (%s); want -32602 or isError", e.Code, shorten(e.Message))}
	}
	return nil
}

// maxShown is how much of a value a message shows.
const maxShown = 400

func shorten(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + fmt.Sprintf("… (%d bytes)", len(text))
}
