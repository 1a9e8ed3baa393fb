package driver

import (
	"encoding/json"
)

// Protocol is the version of the protocol. It changes if a client must change; fields and methods may be added to a
// version, so a client ignores fields that it does not know.
const Protocol = 1

// A Hello is the first request of a client.
type Hello struct {
	Protocol int    `json:"protocol" doc:"the version of the protocol that the client supports: 1"`
	Client   string `json:"client,omitempty" doc:"name and version of the client"`
}

// A Welcome is the result of hello.
type Welcome struct {
	Protocol   int      `json:"protocol" doc:"the version of the protocol: 1"`
	Mcptest    string   `json:"mcptest" doc:"version of mcptest"`
	MaxMessage int      `json:"max_message" doc:"maximum length of a message in bytes"`
	Methods    []string `json:"methods" doc:"the methods"`
}

// A Start starts a server.
type Start struct {
	Name   string          `json:"name" doc:"name of the server in later requests and in messages"`
	Server json.RawMessage `json:"server" doc:"the server as in a suite: demo, the name of a configured server, or a mapping with command, args, env, cwd, url, headers, protocol, timeout, log_level"`
	Offers []string        `json:"offers,omitempty" doc:"server requests that calls have answers for: elicitation, sampling, roots"`
}

// A Started is the result of start.
type Started struct {
	Name     string          `json:"name" doc:"name of the server in later requests"`
	Info     json.RawMessage `json:"info,omitempty" doc:"name and version that the server reports"`
	Protocol string          `json:"protocol" doc:"the MCP revision of the session"`
}

// A List lists what a server has.
type List struct {
	Server string `json:"server" doc:"name of the server"`
	Of     string `json:"of,omitempty" doc:"tools (default), resources, templates or prompts"`
}

// A Listed is the result of list.
type Listed struct {
	Items []json.RawMessage `json:"items" doc:"the definitions, as the server sent them"`
}

// A Test is what all tests have.
type Test struct {
	Server    string          `json:"server" doc:"name of the server"`
	Expect    json.RawMessage `json:"expect,omitempty" doc:"expectations as in a suite; without them, the call must succeed"`
	Timeout   string          `json:"timeout,omitempty" doc:"time limit, such as 5s (default 1m)"`
	XFail     string          `json:"xfail,omitempty" doc:"why the test is expected to fail; it fails if it passes"`
	Snapshots string          `json:"snapshots,omitempty" doc:"file for the matcher snapshot, without its suffix .snapshots.json"`
	Key       string          `json:"key,omitempty" doc:"key of this test in the file of snapshots"`
}

// A Call calls a tool.
type Call struct {
	Test
	Tool    string          `json:"tool" doc:"the tool to call"`
	Args    json.RawMessage `json:"args,omitempty" doc:"its arguments, sent unchecked"`
	Answers json.RawMessage `json:"answers,omitempty" doc:"responses to requests of the server, as in a suite"`
}

// A Read reads a resource.
type Read struct {
	Test
	URI string `json:"uri" doc:"the resource to read"`
}

// A Prompt gets a prompt.
type Prompt struct {
	Test
	Prompt string          `json:"prompt" doc:"the prompt to get"`
	Args   json.RawMessage `json:"args,omitempty" doc:"its arguments, which are strings"`
}

// A Request sends a request of any method.
type Request struct {
	Test
	Method string          `json:"method" doc:"the MCP method"`
	Params json.RawMessage `json:"params,omitempty" doc:"its parameters"`
}

// An Engine runs conform or fuzz.
type Engine struct {
	Test
	With json.RawMessage `json:"with,omitempty" doc:"options of the engine, as in a suite"`
}

// An Assert checks a response against more expectations.
type Assert struct {
	Server    string          `json:"server" doc:"name of the server"`
	Response  int             `json:"response" doc:"ID of the response"`
	Expect    json.RawMessage `json:"expect,omitempty" doc:"expectations as in a suite"`
	XFail     string          `json:"xfail,omitempty" doc:"why the test is expected to fail; it fails if it passes"`
	Snapshots string          `json:"snapshots,omitempty" doc:"file for the matcher snapshot, without its suffix .snapshots.json"`
	Key       string          `json:"key,omitempty" doc:"key of this test in the file of snapshots"`
}

// A Verdict is the result of a test.
type Verdict struct {
	Status   string    `json:"status" doc:"passed; failed; broken: the server could not be reached, crashed or exited; skipped: expected to fail, and failed"`
	Message  string    `json:"message,omitempty" doc:"text for the user: all failures with their evidence, or why the test is broken or skipped"`
	Failures []Failure `json:"failures,omitempty" doc:"what failed"`
	Notes    []string  `json:"notes,omitempty" doc:"remarks that are not failures"`
	Response *Response `json:"response,omitempty" doc:"the response of the server, if a request was sent"`
}

// A Failure is one failure of a test.
type Failure struct {
	Rule     string   `json:"rule" doc:"the rule, such as suite/expectation"`
	Message  string   `json:"message" doc:"what was expected, and the difference; the same text as in a suite"`
	Evidence []string `json:"evidence,omitempty" doc:"the call, stderr of the server, findings of an engine"`
	File     string   `json:"file,omitempty" doc:"of a test of a suite: its file"`
	Line     int      `json:"line,omitempty" doc:"of a test of a suite: its line"`
}

// A Response is the response of a server to one request.
type Response struct {
	ID            int             `json:"id" doc:"ID for assert and frames"`
	Result        json.RawMessage `json:"result,omitempty" doc:"the result, as the server sent it"`
	Error         json.RawMessage `json:"error,omitempty" doc:"the JSON-RPC error, as the server sent it"`
	Text          string          `json:"text,omitempty" doc:"all text blocks of the result of a tool"`
	IsError       bool            `json:"is_error" doc:"whether the tool returned an error"`
	DurationMS    float64         `json:"duration_ms" doc:"duration of the call in milliseconds"`
	Stderr        string          `json:"stderr,omitempty" doc:"what the server wrote to stderr during the call"`
	StdoutNoise   string          `json:"stdout_noise,omitempty" doc:"the last line on stdout during the call that is not a message"`
	Notifications json.RawMessage `json:"notifications,omitempty" doc:"notifications during the call"`
	HTTP          json.RawMessage `json:"http,omitempty" doc:"status and headers of the HTTP response"`
	ExitCode      json.RawMessage `json:"exit_code,omitempty" doc:"exit code, if the server exited instead of responding"`
	Omitted       string          `json:"omitted,omitempty" doc:"which of these fields were omitted because they are too large"`
}

// A FramesOf requests the frames of a response.
type FramesOf struct {
	Server   string `json:"server" doc:"name of the server"`
	Response int    `json:"response,omitempty" doc:"ID of the response (default: the last one)"`
}

// Frames are the frames of a response, and what the server wrote to stderr meanwhile.
type Frames struct {
	Frames []Frame `json:"frames" doc:"the request and its response"`
	Stderr string  `json:"stderr,omitempty" doc:"what the server wrote to stderr during the call"`
}

// A Frame is one message as it was sent.
type Frame struct {
	Number int    `json:"number" doc:"its position in the session"`
	From   string `json:"from" doc:"client or server"`
	Body   string `json:"body" doc:"its bytes; long ones are shortened"`
}

// A Stop stops a server.
type Stop struct {
	Server string `json:"server" doc:"name of the server"`
}

// A SuiteOpen opens a suite file. Nothing is started.
type SuiteOpen struct {
	Path string `json:"path" doc:"the file"`
}

// A Suite is an open suite.
type Suite struct {
	Suite string      `json:"suite" doc:"ID of the suite in later requests"`
	Tests []SuiteTest `json:"tests" doc:"its tests"`
}

// A SuiteTest is one test of a suite.
type SuiteTest struct {
	ID   string   `json:"id" doc:"ID of the test"`
	Name string   `json:"name" doc:"section and name"`
	File string   `json:"file" doc:"its file"`
	Line int      `json:"line" doc:"its line"`
	Tags []string `json:"tags,omitempty" doc:"its tags"`
}

// A SuiteRun runs a test of an open suite.
type SuiteRun struct {
	Suite string `json:"suite" doc:"ID of the suite"`
	Test  string `json:"test" doc:"ID of the test"`
}

// Results are the verdicts on a test of a suite.
type Results struct {
	Results []Result `json:"results" doc:"one; several if the test generates cases"`
}

// A Result is the verdict on one test or case.
type Result struct {
	Name string `json:"name" doc:"ID of the test or case"`
	Verdict
}

// A SuiteClose closes a suite: its servers are stopped, and its teardown runs.
type SuiteClose struct {
	Suite string `json:"suite" doc:"ID of the suite"`
}

// A Cancel is a notification that cancels a request.
type Cancel struct {
	ID json.RawMessage `json:"id" doc:"ID of the request"`
}

// None has no fields.
type None struct{}
