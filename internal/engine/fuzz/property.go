package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/echo"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/words"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Property is a requirement that every response of a correct server meets.
type Property struct {
	finding.Rule
	Holds func(*observation) *violation // nil if it is met
}

// A observation is the observed outcome of one call.
type observation struct {
	Case       cases.Case
	Exchange   *mcp.Exchange
	Err        error         // there was no response
	Late       bool          // it timed out
	early      bool          // but before the full timeout
	waited     time.Duration // how long it was awaited
	abandoned  bool          // it was not awaited, so that other tools have their turns
	Status     int           // of an HTTP response that is not a message; otherwise 0
	unfinished string        // how an HTTP exchange ended without a response although the server is running; otherwise empty
	noise      string        // the last line other than messages that the server wrote to stdout; empty if there was none
	output     *schema.Schema
	input      json.RawMessage
	properties []string       // the arguments in the tool's schema
	integers   []string       // those that are integers
	patterns   bool           // the tool takes regular expressions
	language   bool           // one of its arguments is in a language
	converts   bool           // the tool changes letters on purpose
	takesSQL   bool           // the tool says that it takes SQL
	calculates bool           // it says that it evaluates expressions or adds numbers
	anyFile    bool           // the tool says that it reads any file
	foreign    bool           // the tool returns what others wrote
	revision   *spec.Revision // of the session
	fineMeta   *string        // the last metadata of a result that was checked and found valid
	mirror     *mirror        // of the tool
	lists      *echo.Lists    // of the tool

	said     *string // what errorText returned
	read     bool    // the parts of the result were extracted; a response may be long, and is parsed once
	complete bool    // it is declared complete
	plain    bool    // it has only these members, of the right kinds
	content  json.RawMessage
	meta     json.RawMessage
	failed   bool // it has isError
	data     json.RawMessage
}

// responded reports whether the call has a response, of any kind.
func (s *observation) responded() bool {
	return s.Err == nil && s.Exchange != nil && s.Exchange.Reply != nil
}

// parts extracts the members of the result that properties check.
func (s *observation) parts() *observation {
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

// A violation is a violation of a property. Two with the same cause are the same defect.
type violation struct {
	cause    string
	message  string
	severity finding.Severity // if it differs from the rule's
	compared *mcp.Exchange    // another call, which shows what the result depends on; nil if none is needed
}

// The properties, by purpose. Crashes and hangs come first: a call without a response allows no other check.
var properties = []*Property{
	{finding.Rule{ID: "FUZZ-001", Severity: finding.Critical,
		Doc: "call crashes the server\n\nThe process exited or the connection was closed while the call was in " +
			"flight. Every other user of the server loses their session. Catch errors caused by the input and " +
			"respond with an error."}, noCrash},
	{finding.Rule{ID: "FUZZ-002", Severity: finding.Error,
		Doc: "call times out\n\nThe server did not respond within the timeout. A host typically waits a minute and " +
			"then aborts the call. Respond, or send progress notifications. If it happens only " +
			"after calls that failed, they keep a lock or a connection: release it on every path."}, noHang},
	injectionProperty,
	{finding.Rule{ID: "FUZZ-003", Severity: finding.Error,
		Doc: "malformed response\n\nThe message violates JSON or JSON-RPC, or the result lacks a field that the " +
			"protocol requires. A strict client drops it, and the call seems to hang."}, wellFormed},
	unflaggedProperty, // before FUZZ-004: arguments that are rejected in words are not accepted
	{finding.Rule{ID: "FUZZ-004", Severity: finding.Error,
		Doc: "invalid arguments accepted\n\nThe arguments violate the tool's own schema, but the server accepts " +
			"them. The model gets no feedback, and the tool works with an unintended value. Validate arguments " +
			"against the published schema. The finding is a warning for unknown properties, and a note for a value " +
			"that is converted without loss (\"1\" for 1, or null for a property that may be omitted). It is also a warning if true is accepted " +
			"as a number but \"1\" is rejected."}, refusesInvalid},
	{finding.Rule{ID: "FUZZ-005", Severity: finding.Error,
		Doc: "valid arguments rejected with a protocol error\n\nThe arguments match the tool's own schema, but the " +
			"server responds with a JSON-RPC error. Restrict the schema, or return a result with isError, which a " +
			"model can read and react to. An internal error (-32603) that says what failed is a warning."}, acceptsValid},
	{finding.Rule{ID: "FUZZ-006", Severity: finding.Error,
		Doc: "result violates the output schema\n\nClients validate structured content and discard the result if it " +
			"does not match the schema. Several SDKs validate it in the server and turn the result into an error, so " +
			"that a valid call always fails, such as a search that finds nothing and returns only a text. Return " +
			"structured content in every result without isError."}, matchesOutputSchema},
	{finding.Rule{ID: "FUZZ-014", Severity: finding.Error,
		Doc: "exception in the response to a valid call\n\nThe arguments match the tool's schema, and the tool " +
			"failed with an exception of its programming language, which the framework turned into a result with " +
			"isError. The message contains nothing that a model can act on, and the bug stays hidden. Handle the " +
			"value, or restrict the schema and return a message that explains what to change. If the exception may " +
			"be about the value itself, the finding is a warning; there is none if the text says in its own words what " +
			"failed, or if an argument is in a language such as JSON or SQL. It also is a warning if the SDK shows nothing but " +
			"\"Error executing tool\" and the name of the tool: it hides every exception that is not meant for " +
			"clients. Raise a ToolError (Python) or an McpException (C#) for errors that a model can act on."},
		raisesNothing},
	{finding.Rule{ID: "FUZZ-007", Severity: finding.Warning,
		Doc: "error leaks internal details\n\nA response contains a stack trace, a path on the server's disk or a " +
			"value of its environment. It helps an attacker and is useless to a model. Log it, and respond with what " +
			"the caller can do. A secret is an error."}, noLeak},
	{finding.Rule{ID: "FUZZ-008", Severity: finding.Warning,
		Doc: "wrong error code for invalid arguments\n\nInvalid arguments are the caller's fault: -32602, or a " +
			"result with isError. An internal error (-32603) or a parse error (-32700) suggests another cause and " +
			"distracts from the arguments."}, rightClass},
	garbledProperty,
	numberProperty,
	digitsProperty,
	dayProperty,
	zerosProperty,
	serializedProperty,
	demandProperty,
	narrowProperty,
	disagreeProperty,
	mirrorProperty,
	listsProperty,
	noiseProperty, // last: a tool that logs to stdout does so in most calls, and would hide all other findings
}

// The properties of a server rather than of one call.
var serverRules = []finding.Rule{
	{ID: "FUZZ-009", Severity: finding.Critical,
		Doc: "server stops responding\n\nAfter the call, a plain request gets no response although the process is " +
			"running. It has to be restarted manually."},
	{ID: "FUZZ-010", Severity: finding.Warning,
		Doc: "memory, file handle or process leak\n\nA server that runs for days runs out of them. Release the " +
			"resources of a call, also on error paths, and end the processes that it starts."},
	{ID: "FUZZ-011", Severity: finding.Warning,
		Doc: "inconsistent result shape for the same call\n\nA read-only tool (readOnlyHint) responded to the same " +
			"arguments with different properties or types. A client that expects one shape breaks on the other."},
	{ID: "FUZZ-012", Severity: finding.Error, Doc: "malformed frame crashes the server\n\nAnyone who can write to " +
		"the server can stop it, accidentally or on purpose. Skip frames that cannot be parsed, or respond with an " +
		"error. Over HTTP, this includes headers that contradict the body and bodies that are slow or never end."},
	{ID: "FUZZ-015", Severity: finding.Error, Doc: "value at the limit of the schema fails\n\nThe schema allows the " +
		"value, which is exactly at a limit such as maximum or maxLength, and the call failed, while a value just " +
		"inside worked. This is an off-by-one error in the schema or the code. A model that reads the schema uses " +
		"the limit. Change one of them. If letters beyond ASCII fail where as many ASCII letters work, the code counts bytes: " +
		"JSON Schema counts characters."},
	defaultRule,
	wornRule,
	choiceRule,
	unexplainedRule,
	{ID: "FUZZ-013", Severity: finding.Warning,
		Doc: "deleted session is still accepted\n\nThe server accepted the DELETE request for the session, and then " +
			"responded to a request with its ID. Anyone with an old ID can continue to use it. Respond with 404, so " +
			"that the client starts a new session."},
}

// Rules lists the rules of all properties.
func Rules() []finding.Rule {
	var all []finding.Rule
	for _, p := range properties {
		all = append(all, p.Rule)
	}
	return append(all, serverRules...)
}

// unknownCause is the cause of a crash about which nothing else is known.
const unknownCause = "gone"

func noCrash(s *observation) *violation {
	var invalid *mcp.InvalidResponse
	if s.Err == nil || s.Late || errors.As(s.Err, &invalid) {
		return nil
	}
	cause := unknownCause
	var exit *wire.ExitError
	if errors.As(s.Err, &exit) {
		cause = exit.Error()
	}
	return &violation{cause: cause, message: "server crashed: " + s.Err.Error()}
}

func noHang(s *observation) *violation {
	if !s.Late {
		return nil
	}
	return &violation{cause: silence.cause, message: silence.message}
}

func refusesInvalid(s *observation) *violation {
	if s.Case.Allowed || s.Case.Unclear || !accepted(s) {
		return nil
	}
	if s.Case.ReadsUnicodeClass() {
		return nil
	}
	rule, _, _ := strings.Cut(s.Case.Violates, ":")
	b := &violation{cause: rule, message: "accepted invalid arguments: " + s.Case.Violates}
	if s.Case.Coerced {
		b.cause, b.severity = coercion, finding.Info
		b.message = "accepted a value of another type, converted without loss: " + s.Case.Violates
	}
	if strings.HasPrefix(rule, "additionalProperties") || strings.HasPrefix(rule, "unevaluatedProperties") {
		b.severity = finding.Warning
	}
	return b
}

// accepted reports whether a call succeeded.
func accepted(s *observation) bool {
	if s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error != nil {
		return false
	}
	return !s.parts().failed
}

func acceptsValid(s *observation) *violation {
	if !s.Case.Allowed || s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error == nil {
		return nil
	}
	e := s.Exchange.Reply.Error
	if e.Code == -32021 || e.Code == -32042 { // it requires a client capability, or a visit to a URL
		return nil
	}
	if exposure.IsNetworkFailure(e.Message) {
		return nil // no argument was rejected
	}
	b := &violation{cause: fmt.Sprint(e.Code),
		message: fmt.Sprintf("valid arguments rejected with error %d (%s)", e.Code,
			clip.Sized(e.Message, maxDisplayed))}
	if _, raised := exposure.FindException(e.Message); e.Code == mcp.CodeInternal && !raised && exposure.SaysWhatFailed(e.Message) {
		b.severity = finding.Warning
	}
	return b
}

func matchesOutputSchema(s *observation) *violation {
	if s.output == nil {
		return nil
	}
	if !accepted(s) {
		return s.rejectedOutput()
	}
	structured := s.parts().data
	violations := calls.CheckOutput(s.output, structured)
	switch {
	case len(violations) == 0:
		return nil
	case structured == nil:
		return &violation{cause: "missing", message: violations[0].Message}
	}
	return &violation{cause: violations[0].Rule + " " + violations[0].Path,
		message: "structuredContent: " + violations[0].Message}
}

// rejectedOutput is the violation of a result that the SDK of the server turned into an error, because it does not match
// the output schema.
func (s *observation) rejectedOutput() *violation {
	if !s.Case.MayBeValid() || s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error != nil {
		return nil
	}
	found := exposure.FindOutputError(s.errorText())
	if found == "" || s.sent(found) {
		return nil
	}
	return &violation{cause: "rejected", message: "the result of a valid call does not match the output schema, and the " +
		"SDK of the server turned it into an error: " + clip.Sized(found, maxDisplayed)}
}

// noLeak checks only errors: a tool may return paths that it was called for. Text that the caller sent does not
// count either. A secret is identified by its key and never shown.
func noLeak(s *observation) *violation {
	if s.Exchange == nil || s.Exchange.Reply == nil || accepted(s) {
		return nil
	}
	if b := hidesSecrets(s); b != nil {
		return b
	}
	said := s.errorText()
	found, ok := exposure.FindDetail(said)
	if text := strings.Trim(found.Text, `"'(=[ `+"\n\t"); ok && !s.sent(text) && !s.pointsToArgument(text) {
		return &violation{cause: found.What, message: found.What + " in the response: " +
			clip.Sized(strings.TrimSpace(found.Text), maxDisplayed)}
	}
	return nil
}

// hidesSecrets is the part of noLeak that is checked before other properties, so that another finding does not hide a
// secret.
func hidesSecrets(s *observation) *violation {
	if s.Exchange == nil || s.Exchange.Reply == nil {
		return nil
	}
	if accepted(s) {
		// what the tool returns is meant, what it adds may be: data for a view, which the model does not get
		if secret, ok := exposure.FindSecret(string(s.parts().meta)); ok && !s.sent(secret.Text) {
			return &violation{cause: "meta", severity: finding.Warning, message: "_meta of the result contains a secret: " + secret.What}
		}
		return nil
	}
	said := s.errorText()
	if secret, ok := exposure.FindSecret(said); ok && !s.sent(secret.Text) && !s.repeats(secret.Name) {
		return &violation{cause: "secret", severity: finding.Error,
			message: "the error contains a secret: " + secret.What}
	}
	if exposure.Environment(said) {
		return &violation{cause: "environment", severity: finding.Error,
			message: "the error lists the environment of the process"}
	}
	return nil
}

// repeats reports whether a name in a response is part of a value that was sent: "passwd: unknown title" has no secret.
func (s *observation) repeats(name string) bool {
	members, _ := schema.Members(s.Case.Arguments)
	return name != "" && slices.ContainsFunc(members, func(m schema.Member) bool {
		return bytes.Contains(m.Value, []byte(name))
	})
}

// sent reports whether a text is part of the arguments.
func (s *observation) sent(text string) bool { return strings.Contains(string(s.Case.Arguments), text) }

// pointsToArgument reports whether what looks like a path on the server is a JSON Pointer to an argument, as in
// "/root/children/0: expected a string".
func (s *observation) pointsToArgument(path string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return strings.HasPrefix(path, "/") && slices.Contains(s.properties, name)
}

// errorText is the text of an error: its message and data, or the texts of its content.
func (s *observation) errorText() string {
	if s.said == nil {
		text := words.Of(s.Exchange.Reply)
		s.said = &text
	}
	return *s.said
}

func rightClass(s *observation) *violation {
	if s.Case.Allowed || s.Case.Unclear || s.Exchange == nil || s.Exchange.Reply == nil ||
		s.Exchange.Reply.Error == nil {
		return nil
	}
	e := s.Exchange.Reply.Error
	if e.Code == mcp.CodeInternal || e.Code == mcp.CodeParse || e.Code == -32601 {
		return &violation{cause: fmt.Sprint(e.Code),
			message: fmt.Sprintf("invalid arguments: got error %d (%s), expected -32602 or isError", e.Code,
				clip.Sized(e.Message, maxDisplayed))}
	}
	return nil
}

// maxDisplayed is the maximum length of a value in a message.
const maxDisplayed = 400
