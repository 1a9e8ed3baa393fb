// Package suite runs tests for MCP servers that are written in YAML.
//
// Load reads files and reports all their problems before any server is started. Run starts the servers, makes the
// calls, checks the responses against the expectations and returns a finding.Report. Other engines run inside a suite
// as blocks; they are passed as values, so that this package does not depend on them.
package suite

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/fixture"
)

// A File is one suite.
type File struct {
	document.Position `yaml:"-"`

	Servers      map[string]*Server          `yaml:"servers" doc:"the servers under test, by the names that tests use" example:"{local: demo}"`
	Matrix       *Matrix                     `yaml:"matrix" doc:"servers and protocol revisions: a test that names no server runs once for each combination" example:"{protocols: [2025-06-18, 2025-11-25]}"`
	Variables    map[string]*document.Node   `yaml:"variables" doc:"values for ${name} in servers, arguments and expectations" example:"{who: Ada}"`
	Fixtures     map[string]*fixture.Fixture `yaml:"fixtures" doc:"what the tests need besides the servers: processes, temporary directories, HTTP servers with canned responses; their names are variables" example:"{data: {directory: {files: {notes.txt: hello}}}}"`
	Imports      []Import                    `yaml:"imports" doc:"other suite files, whose servers, variables and tests are added to this one; relative to this file" example:"[common.yaml]"`
	RunOptions   RunOptions                  `yaml:"run_options" doc:"how the tests of this file are run" example:"{parallel: auto, timeout: 30s}"`
	Setup        []fixture.Hook              `yaml:"setup,beforeAll" doc:"commands to run before the first server is started" example:"[[go, version]]"`
	Teardown     []fixture.Hook              `yaml:"teardown,afterAll" doc:"commands to run after all servers have exited" example:"[[go, version]]"`
	SetupPerTest []fixture.Hook              `yaml:"setup_per_test" doc:"commands to run before each test" example:"[[go, version]]"`

	Tools       []ToolTest       `yaml:"tools" doc:"tool calls" example:"[{name: a message comes back, tool: echo, args: {message: hi}, expect: {contains: hi}}]"`
	Resources   []ResourceTest   `yaml:"resources" doc:"resource reads" example:"[{uri: demo://planets, expect: {contains: Mars}}]"`
	Prompts     []PromptTest     `yaml:"prompts" doc:"prompts to get" example:"[{prompt: greet, args: {name: Ada}, expect: {contains: Ada}}]"`
	Completions []CompletionTest `yaml:"completions" doc:"argument completions" example:"[{prompt: describe_planet, argument: planet, value: ma, expect: {contains: Mars}}]"`
	Raw         []RawTest        `yaml:"raw" doc:"requests of any method" example:"[{method: no/such/method, expect: {error_code: -32601}}]"`
	Sequences   []Sequence       `yaml:"sequences" doc:"steps that pass on values" example:"[{steps: [{tool: echo, args: {message: hi}, capture: {said: text}}, {tool: echo, args: {message: \"${said}\"}, expect: {exact: hi}}]}]"`

	ToolQuality []Block    `yaml:"tool_quality" doc:"how well tools are described and constrained" example:"[{expect: [{target: mean_score, schema: {minimum: 0.5}}]}]"`
	SchemaLint  []Block    `yaml:"schema_lint" doc:"findings of schema-lint" example:"[{with: {skip: [QUAL]}}]"`
	Conform     []Block    `yaml:"conform" doc:"findings of conform" example:"[{with: {rules: [TOOL, LIFE]}, expect: [{target: grade, exact: A}]}]"`
	Fuzz        []Block    `yaml:"fuzz" doc:"findings of fuzz" example:"[{with: {cases: 50, tool: [echo]}}]"`
	Performance []Block    `yaml:"performance" doc:"latency of tools under load" example:"[{with: {tool: echo, rate: 100/s, duration: 500ms}, expect: [{target: errors, exact: 0}]}]"`
	Locked      []Block    `yaml:"locked" doc:"changes since the server was approved in a lock file" example:"[{with: {file: mcptest.lock}}]"`
	Find        []Block    `yaml:"find" doc:"whether the tool searches of hosts return the tools" example:"[{with: {queries: [{query: price of an order, tools: [price_order]}], min_recall: 1}}]"`
	Coverage    []Coverage `yaml:"coverage" doc:"how much of the servers the tests exercise" example:"[{tools: 0}]"`
}

// A Server is how to reach one server: a single word (demo, or a server from a config file), or the fields.
type Server struct {
	document.Position `yaml:"-"`

	Target   string            `yaml:"target" doc:"demo, demo-guide, demo-flawed, or the name of a server from a config file" example:"demo"`
	Command  []string          `yaml:"command" doc:"the command that starts the server, as a list of words" example:"[node, server.js]"`
	Args     []string          `yaml:"args" doc:"arguments of the command" example:"[--verbose]"`
	Env      map[string]string `yaml:"env" doc:"environment variables of the server" example:"{API_KEY: \"${API_KEY}\"}"`
	Cwd      string            `yaml:"cwd" doc:"the working directory of the server; relative to this file" example:"server"`
	URL      string            `yaml:"url" doc:"the URL of a running server" example:"https://mcp.example.com/mcp"`
	Headers  map[string]string `yaml:"headers" doc:"HTTP headers; take secrets from the environment: ${TOKEN}" example:"{Authorization: \"Bearer ${TOKEN}\"}"`
	Protocol string            `yaml:"protocol" doc:"the protocol revision; auto, or a date" default:"auto" example:"2025-06-18"`
	Timeout  time.Duration     `yaml:"timeout" doc:"request timeout" default:"1m" example:"30s"`
	LogLevel string            `yaml:"log_level" doc:"request log messages of this level and above" example:"info"`
}

// ReadNode reads a server: one word is a target.
func (s *Server) ReadNode(n *document.Node, d *document.Decoder) {
	if n.Kind == document.String {
		if s.Target = n.Text; strings.ContainsAny(n.Text, " \t\n") {
			d.AddProblem(n, "shell command line, expected the words of the command as a list: {command: [%s]}; or "+
				"{target: %s}, if it is a name from a config file", strings.Join(strings.Fields(n.Text), ", "), n.Text)
		}
		return
	}
	type plain Server
	d.Decode(n, (*plain)(s))
	if command := n.Get("command"); command != nil && command.Kind == document.String &&
		strings.ContainsAny(command.Text, " \t\n") {
		d.AddProblem(command, "shell command line, expected the words of the command as a list: [%s]",
			strings.Join(strings.Fields(command.Text), ", "))
	}
	if address := n.Get("url"); s.URL != "" && address != nil && !strings.Contains(s.URL, "://") &&
		!strings.HasPrefix(s.URL, "${") {
		d.AddProblem(address, "%q is not a URL, expected one with a scheme, such as http://%s", s.URL, s.URL)
	}
	ways := 0
	for _, given := range []bool{s.Target != "", len(s.Command) > 0, s.URL != ""} {
		if given {
			ways++
		}
	}
	if ways != 1 && n.Kind == document.Map {
		d.AddProblem(n, "a server requires exactly one of command, url and target, got %d", ways)
	}
}

// JSONSchema allows a single word in addition to the fields.
func (s *Server) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"anyOf":[{"type":"string"},{"$ref":"#/$defs/server"}]}`)
}

// An Import names another file.
type Import struct {
	document.Position `yaml:"-"`

	Path string
}

// ReadNode reads a path.
func (i *Import) ReadNode(n *document.Node, d *document.Decoder) { d.Decode(n, &i.Path) }

// JSONSchema describes a path.
func (i *Import) JSONSchema() json.RawMessage { return json.RawMessage(`{"type":"string"}`) }

// RunOptions configure how the tests of a file are run.
type RunOptions struct {
	document.Position `yaml:"-"`

	Parallel Parallel      `yaml:"parallel" doc:"how many tests of this file run in parallel: false, auto or a number" default:"false" example:"auto"`
	Timeout  time.Duration `yaml:"timeout" doc:"test timeout" default:"1m" example:"30s"`
	Retries  int           `yaml:"retries" doc:"how often a failed test is retried" default:"0" example:"2"`
	Restart  string        `yaml:"restart,restart_policy" enum:"run|file|test|per_run|per_file|per_test" doc:"when servers are restarted: once per run, per file, or per test" default:"run" example:"test"`
}

// Parallel is how many tests may run at once; 0 means that the file does not set it.
type Parallel int

// Auto means as many tests at once as there are processors.
const Auto Parallel = -1

// ReadNode reads a number, auto, true or false.
func (p *Parallel) ReadNode(n *document.Node, d *document.Decoder) {
	var number int
	switch {
	case n.Text == "auto" || n.Text == "true":
		*p = Auto
	case n.Text == "false":
		*p = 1
	case n.Kind == document.Number:
		d.Decode(n, &number)
		if *p = Parallel(number); number < 1 {
			d.AddProblem(n, "parallel is %s, expected auto, false or a number from 1", n.Text)
		}
	default:
		d.AddProblem(n, "%s, expected auto, false or a number", document.Describe(n))
	}
}

// JSONSchema allows words in addition to a number.
func (p *Parallel) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"anyOf":[{"type":"integer","minimum":1},{"type":"boolean"},{"const":"auto"}]}`)
}

// A Case is the common part of all tests.
type Case struct {
	document.Position `yaml:"-"`

	Name    string            `yaml:"name" doc:"name of the test; generated from the call by default" example:"a message comes back"`
	Server  string            `yaml:"server" doc:"the server to use; optional if there is only one" example:"local"`
	Tags    []string          `yaml:"tags" doc:"tags to select tests by" example:"[smoke]"`
	Skip    string            `yaml:"skip" doc:"why the test is not run" example:"waits for a fix"`
	XFail   string            `yaml:"xfail" doc:"why the test is expected to fail; it fails if it passes" example:"issue 12"`
	Timeout time.Duration     `yaml:"timeout" doc:"test timeout; overrides run_options" example:"5s"`
	Retries *int              `yaml:"retries" doc:"how often it is retried if it fails; overrides run_options" example:"1"`
	Answers *Answers          `yaml:"answers" doc:"responses to requests of the server" example:"{elicitation: [{action: decline}]}"`
	Expect  *Expectations     `yaml:"expect" doc:"conditions on the response; without it, the call must succeed" example:"{contains: hi}"`
	Capture map[string]string `yaml:"capture" doc:"values for later steps: a name, and its location in the response, optionally with a jq expression: text | fromjson | .id" example:"{id: result.structuredContent.id}"`
}

// A ToolTest calls a tool.
type ToolTest struct {
	Case
	Parameters
	Tool string         `yaml:"tool" required:"yes" doc:"the tool to call" example:"echo"`
	Args *document.Node `yaml:"args,arguments" doc:"its arguments" default:"{}" example:"{message: hi}"`
}

// A ResourceTest reads a resource.
type ResourceTest struct {
	Case
	Parameters
	URI string `yaml:"uri" required:"yes" doc:"the resource to read" example:"demo://planets"`
}

// A PromptTest gets a prompt.
type PromptTest struct {
	Case
	Parameters
	Prompt string         `yaml:"prompt" required:"yes" doc:"the prompt to get" example:"greet"`
	Args   *document.Node `yaml:"args,arguments" doc:"its arguments, which are strings" example:"{name: Ada}"`
}

// A CompletionTest requests completions of an argument.
type CompletionTest struct {
	Case
	Prompt   string            `yaml:"prompt" doc:"the prompt whose argument is completed" example:"describe_planet"`
	Template string            `yaml:"template" doc:"the resource template whose argument is completed" example:"demo://planets/{name}"`
	Argument string            `yaml:"argument" required:"yes" doc:"the argument" example:"planet"`
	Value    string            `yaml:"value" doc:"what has been typed so far" example:"ma"`
	Context  map[string]string `yaml:"context" doc:"arguments that are already known" example:"{country: France}"`
}

// A RawTest sends a request of any method.
type RawTest struct {
	Case
	Parameters
	Method string         `yaml:"method" required:"yes" doc:"the method" example:"ping"`
	Params *document.Node `yaml:"params" doc:"its parameters, sent verbatim" example:"{}"`
}

// A Sequence is a test of several steps.
type Sequence struct {
	Case
	Parameters
	Steps []Step `yaml:"steps" required:"yes" doc:"the calls, in order; the sequence stops at the first failure" example:"[{tool: echo, args: {message: hi}}]"`
}

// A Step is one call of a sequence: of a tool, a resource, a prompt or a method.
type Step struct {
	Case
	Tool     string         `yaml:"tool" doc:"the tool to call" example:"echo"`
	Resource string         `yaml:"resource,uri" doc:"the resource to read" example:"demo://planets"`
	Prompt   string         `yaml:"prompt" doc:"the prompt to get" example:"greet"`
	Method   string         `yaml:"method" doc:"the method to request" example:"ping"`
	Args     *document.Node `yaml:"args,arguments" doc:"arguments of the tool or prompt" example:"{message: hi}"`
	Params   *document.Node `yaml:"params" doc:"parameters of the method" example:"{}"`
	Soft     bool           `yaml:"soft" doc:"go on with the next step if an expectation of this one fails" default:"false" example:"true"`
}

// A Block runs another engine inside the suite.
type Block struct {
	Case
	With *document.Node `yaml:"with" doc:"options of the engine, named like its flags"`
}

// Coverage compares how much of a server the tests exercise with the required percentages. The short form lists the
// percentages.
type Coverage struct {
	Case
	Tools      *float64 `yaml:"tools" doc:"the percentage of tools that must be called" example:"80"`
	Parameters *float64 `yaml:"parameters" doc:"the percentage of parameters that must be used" example:"60"`
	EnumValues *float64 `yaml:"enum_values" doc:"the percentage of enum values that must be sent" example:"50"`
	ErrorPaths *float64 `yaml:"error_paths" doc:"the percentage of tools of which a call must fail, with a JSON-RPC error or isError" example:"50"`
}
