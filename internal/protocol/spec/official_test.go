package spec

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/realdata"
	"github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"
)

// official is the published schema of a revision.
type official struct {
	compiler *jsonschema.Compiler
	prefix   string
	has      map[string]json.RawMessage
	compiled map[string]*jsonschema.Schema
}

func publishedSchema(t *testing.T, id string) *official {
	t.Helper()
	data, err := os.ReadFile(realdata.Path(t, "spec", id, "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Definitions map[string]json.RawMessage `json:"definitions"`
		Defs        map[string]json.RawMessage `json:"$defs"`
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err == nil {
		err = json.Unmarshal(data, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat() // of the older schemas it always is
	if err := c.AddResource("schema.json", parsed); err != nil {
		t.Fatal(err)
	}
	o := &official{compiler: c, prefix: "schema.json#/$defs/", has: doc.Defs, compiled: map[string]*jsonschema.Schema{}}
	if doc.Defs == nil {
		o.prefix, o.has = "schema.json#/definitions/", doc.Definitions
	}
	return o
}

// accepts reports whether one of the definitions accepts the value. Those that the revision does not have accept
// nothing.
func (o *official) accepts(t *testing.T, value json.RawMessage, definitions ...string) bool {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return false
	}
	for _, name := range definitions {
		if o.has[name] == nil {
			continue
		}
		s := o.compiled[name]
		if s == nil {
			if s, err = o.compiler.Compile(o.prefix + name); err != nil {
				t.Fatal(err)
			}
			o.compiled[name] = s
		}
		if s.Validate(instance) == nil {
			return true
		}
	}
	return false
}

// acceptsMessage judges a message of a server: by its envelope, and by what its method says of its inside.
func (o *official) acceptsMessage(t *testing.T, answers string, message json.RawMessage) bool {
	t.Helper()
	var head struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if json.Unmarshal(message, &head) != nil {
		return false
	}
	switch {
	case answers == "" && head.ID == nil:
		return o.accepts(t, message, "JSONRPCNotification") && o.accepts(t, message, officialMessages[head.Method])
	case answers == "":
		return o.accepts(t, message, "JSONRPCRequest") && o.accepts(t, message, officialMessages[head.Method])
	case head.Error != nil:
		return o.accepts(t, message, "JSONRPCError", "JSONRPCErrorResponse") && o.acceptsError(t, message, head.Error)
	}
	return o.accepts(t, message, o.envelope()) && o.accepts(t, head.Result, o.results(answers)...)
}

// results names the definitions that the revision has for the results of a method. A method that it does not have
// brings any result.
func (o *official) results(method string) []string {
	names := slices.DeleteFunc(slices.Clone(officialResults[method]),
		func(name string) bool { return o.has[name] == nil })
	if len(names) == 0 {
		return []string{"Result"}
	}
	return names
}

// acceptsDecided is acceptsMessage where the type of a result alone decides by what it is judged.
func (o *official) acceptsDecided(t *testing.T, answers string, message json.RawMessage) bool {
	t.Helper()
	var head struct{ Result json.RawMessage }
	var result struct{ ResultType string }
	_ = json.Unmarshal(message, &head)
	_ = json.Unmarshal(head.Result, &result)
	name := officialResults[answers][0]
	if result.ResultType == "input_required" {
		name = "InputRequiredResult"
	}
	return o.accepts(t, message, o.envelope()) && o.accepts(t, head.Result, name)
}

func (o *official) envelope() string {
	if o.has["JSONRPCResultResponse"] != nil {
		return "JSONRPCResultResponse"
	}
	return "JSONRPCResponse"
}

// acceptsError judges the errors that have a definition of their own.
func (o *official) acceptsError(t *testing.T, message, refusal json.RawMessage) bool {
	t.Helper()
	var e struct {
		Code json.RawMessage `json:"code"`
	}
	_ = json.Unmarshal(refusal, &e)
	name := map[string]string{"-32042": "URLElicitationRequiredError", "-32022": "UnsupportedProtocolVersionError",
		"-32021": "MissingRequiredClientCapabilityError"}[string(e.Code)]
	return o.has[name] == nil || o.accepts(t, message, name)
}

// officialMessages names the definitions of what a server says by itself.
var officialMessages = map[string]string{
	"ping": "PingRequest", "roots/list": "ListRootsRequest", "sampling/createMessage": "CreateMessageRequest",
	"elicitation/create": "ElicitRequest", "notifications/cancelled": "CancelledNotification",
	"notifications/progress": "ProgressNotification", "notifications/message": "LoggingMessageNotification",
	"notifications/resources/updated":          "ResourceUpdatedNotification",
	"notifications/resources/list_changed":     "ResourceListChangedNotification",
	"notifications/tools/list_changed":         "ToolListChangedNotification",
	"notifications/prompts/list_changed":       "PromptListChangedNotification",
	"notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
	"notifications/elicitation/complete":       "ElicitationCompleteNotification",
	"notifications/tasks/status":               "TaskStatusNotification",
	"tasks/get":                                "GetTaskRequest", "tasks/list": "ListTasksRequest",
	"tasks/result": "GetTaskPayloadRequest",
	"tasks/cancel": "CancelTaskRequest",
}

// officialResults names the definitions of results, any one of which will do.
var officialResults = map[string][]string{
	"initialize": {"InitializeResult"}, "server/discover": {"DiscoverResult"}, "ping": {"EmptyResult", "Result"},
	"tools/list": {"ListToolsResult"}, "tools/call": {"CallToolResult", "CreateTaskResult", "InputRequiredResult"},
	"resources/list": {"ListResourcesResult"}, "resources/templates/list": {"ListResourceTemplatesResult"},
	"resources/read": {"ReadResourceResult", "InputRequiredResult"}, "resources/subscribe": {"EmptyResult", "Result"},
	"resources/unsubscribe": {"EmptyResult", "Result"}, "subscriptions/listen": {"SubscriptionsListenResult"},
	"prompts/list": {"ListPromptsResult"}, "prompts/get": {"GetPromptResult", "InputRequiredResult"},
	"completion/complete": {"CompleteResult"}, "logging/setLevel": {"EmptyResult", "Result"},
	"tasks/get": {"GetTaskResult"}, "tasks/list": {"ListTasksResult"}, "tasks/result": {"GetTaskPayloadResult"},
	"tasks/cancel": {"CancelTaskResult"},
}
