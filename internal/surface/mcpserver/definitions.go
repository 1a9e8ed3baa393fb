package mcpserver

// A definition words an operation for a model, which reads all definitions in every conversation.
type definition struct {
	doc    string            // instead of that of the command
	fields map[string]string // by name, instead of those of the flags; an empty one omits the argument
}

var (
	ruleFields = map[string]string{
		"rules": "Only these rules: IDs, families or globs.", "skip": "Not these rules.",
		"severity": "Minimum: info, warning, error, critical.", "verbose": "",
		"host": "Also these hosts; all for every host.", "fix": "Return the fixed tools.",
		"fix_mode": "",
	}
	definitions = map[string]definition{
		"check_server": {"Tests protocol, schemas and robustness (safe tools with readOnlyHint), and returns verdict, " +
			"grades and findings; show_finding has the details.",
			map[string]string{"fail_on": "What fails: error (default), warning, critical, grade:B, area:NAME, sdk, " +
				"or rules.", "skip": "Not these rules.", "verbose": ""}},
		"check_conformance": {"Checks the protocol conformance of a server; calls only tools with readOnlyHint.",
			ruleFields},
		"lint_schemas": {"Finds schemas that accept wrong arguments, mislead models, or make hosts drop tools.",
			ruleFields},
		"fuzz_tool": {"Finds inputs that break safe tools (readOnlyHint), and minimizes them.", map[string]string{
			"tool": "Only these tools.", "seed": "Seed (default 1).", "cases": "Number of calls (default 1000).",
			"wire": "Also malformed frames.", "stateful": "Also sequences of calls.",
			"severity": ""}},
		"load_server": {"Calls tools at a fixed rate and measures latency; without a tool, all safe ones " +
			"(readOnlyHint).", map[string]string{
			"tool": "Tool to call.", "arg": "", "args": "Arguments as JSON (default: generated).",
			"no_validate": "", "rate": "Calls per second, such as 50/s.",
			"concurrency": "", "duration": "Such as 30s (default 10s).", "ramp": "",
			"silence": "", "threshold": "Conditions, such as p99<50ms."}},
		"run_suite": {"Runs a suite of tests on an open connection; see suite_guide.", map[string]string{
			"suite": "The suite as YAML.", "filter": "Only tests whose ID contains or matches this.",
			"tag": "Only tests with these tags.", "skip_tag": "", "parallel": "",
			"retries": "", "fail_on_flaky": "",
			"bail": "Stop at the first failure."}},
		"validate_suite": {"Reports the problems of a suite without running it.",
			map[string]string{"suite": "The suite as YAML."}},
		"scaffold_suite": {"Writes a first suite from sample calls of safe tools (readOnlyHint), and says what was " +
			"skipped and why.", map[string]string{"tools": "Also call these; the user is asked."}},
	}
)
