package isolate

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

const security = "https://modelcontextprotocol.io/specification/2025-11-25/basic/security_best_practices"

// The rules, in the order of the report.
const (
	ruleResult     = "ISO-001"
	ruleCache      = "ISO-002"
	ruleResource   = "ISO-003"
	ruleList       = "ISO-004"
	ruleHidden     = "ISO-005"
	ruleSession    = "ISO-006"
	ruleActs       = "ISO-007"
	ruleReplay     = "ISO-008"
	ruleTask       = "ISO-009"
	ruleTaskCancel = "ISO-010"
	ruleProgress   = "ISO-011"
	ruleNotice     = "ISO-012"
	ruleCredential = "ISO-013"
	ruleGuess      = "ISO-014"
)

var rules = []finding.Rule{
	{ID: ruleResult, Severity: finding.Critical, Doc: "result contains data of another user\n\n" +
		"The response to a tool call or a prompt of one user contains a random value that only another user has sent, or a " +
		"text that only that user may receive; or the response changed to the one of another user after that user was " +
		"active. State is shared between users, such as a global variable for the current user or a pool of connections " +
		"to another service.\n\nKeep the state of a request with the request, and use a separate connection to other " +
		"services for each user."},
	{ID: ruleCache, Severity: finding.Critical, Doc: "cached response of another user\n\n" +
		"Two users send the same request. Each of them gets the response of the user who sent it first, although the " +
		"responses differ by user. The key of a cache lacks the user.\n\nAdd the user to the key of the cache, or do not " +
		"cache responses that depend on the user."},
	{ID: ruleResource, Severity: finding.Critical, Doc: "resource of another user can be read\n\n" +
		"A user has read a resource that only another user lists, or its content has data of another user.\n\n" +
		"Check on each read whether the user may read the resource. A URI that is hard to guess is not a check."},
	{ID: ruleList, Severity: finding.Error, Doc: "list depends on another user\n\n" +
		"The list of a user contains data of another user, changes after another user was active, or has entries that only " +
		"another user can use. Lists may depend on the user, but not on what other users do.\n\nCompute the list for the " +
		"user of the request, and add the user to the key of a cache of lists."},
	{ID: ruleHidden, Severity: finding.Error, Doc: "entry of another user's list can be used\n\n" +
		"A tool, a prompt or a subscription of a resource is not listed for a user, but the user can use it. The list " +
		"hides it, and nothing protects it.\n\nCheck the permission on each request, not only when you create the list."},
	{ID: ruleSession, Severity: finding.Critical, Spec: security + "#session-hijacking",
		Doc: "session accepts requests of another user\n\n" +
			"A request with the session ID of one user and the credentials of another user was executed. Who learns a " +
			"session ID can act in that session.\n\nStore the user with the session, compare it on each request, and " +
			"respond with 404 if it differs. Session IDs must not be used for authentication."},
	{ID: ruleActs, Severity: finding.Critical, Spec: security + "#session-hijacking",
		Doc: "request takes effect in another user's session\n\n" +
			"A request of one user ended the session of another user, or its messages were sent to that session.\n\n" +
			"Compare the user of the request with the user of the session for DELETE and GET too."},
	{ID: ruleReplay, Severity: finding.Critical, Doc: "event stream of another user is replayed\n\n" +
		"A GET request with the Last-Event-ID of another user's stream returned events of that stream. Event IDs are " +
		"cursors: the specification requires them to be bound to the stream and the session.\n\nStore the session and the " +
		"user with each stored event, and replay only events of the session of the request.",
		Spec: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery"},
	{ID: ruleTask, Severity: finding.Critical, Doc: "task of another user can be read\n\n" +
		"A user has read the status or the result of a task that another user has created, or has it in the list of " +
		"tasks.\n\nBind each task to the user who created it, and respond to others as if it did not exist.",
		Spec: "https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-isolation-and-access-control"},
	{ID: ruleTaskCancel, Severity: finding.Critical, Doc: "task of another user can be cancelled\n\n" +
		"A user has cancelled a task that another user has created.\n\n" +
		"Check the user in tasks/cancel and tasks/update too.",
		Spec: "https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-isolation-and-access-control"},
	{ID: ruleProgress, Severity: finding.Error, Doc: "progress is sent to another user\n\n" +
		"A user received progress notifications of a call of another user. Progress tokens are unique only within the " +
		"session of one client.\n\nUse the session and the token as the key, and send progress on the stream of its call."},
	{ID: ruleNotice, Severity: finding.Error, Doc: "notification is sent to another user\n\n" +
		"A log message, a resource update or another message that a user caused was sent to another user.\n\n" +
		"Send log messages only to the session that caused them, and updates only to sessions that subscribed to them."},
	{ID: ruleCredential, Severity: finding.Critical, Doc: "credential of another user was sent\n\n" +
		"A user received the token, the secret header or the secret variable of another user.\n\n" +
		"Never return credentials, and do not put them into errors, logs or URLs."},
	{ID: ruleGuess, Severity: finding.Warning, Spec: security + "#session-hijacking",
		Doc: "guessable ID of a session or task\n\n" +
			"The IDs of sessions or tasks that were created one after the other differ in a few characters only, such as " +
			"those of a counter. Others can guess them.\n\nUse at least 128 bits from a cryptographically secure random " +
			"number generator, such as a UUID version 4."},
}

// Rules lists the rules of isolation.
func Rules() []finding.Rule { return append([]finding.Rule(nil), rules...) }

func ruleByID(id string) finding.Rule {
	for _, r := range rules {
		if r.ID == id {
			return r
		}
	}
	return finding.Rule{ID: id, Severity: finding.Error}
}

// Explain is the documentation of a rule as Markdown.
func Explain(id string) (string, bool) {
	for _, r := range rules {
		if !strings.EqualFold(r.ID, id) {
			continue
		}
		_, body, _ := strings.Cut(r.Doc, "\n")
		text := fmt.Sprintf("# %s: %s\n\nSeverity: %s. Found by `mcptest isolate`.", r.ID, r.Title(), r.Severity)
		if r.Spec != "" {
			text += "\nSource: <" + r.Spec + ">"
		}
		return text + "\n\n" + strings.TrimSpace(body) + "\n", true
	}
	return "", false
}
