package exposure

import (
	"regexp"
	"strings"
)

// HidesException reports whether the text of a failed call is what SDKs write in place of an exception that the tool did
// not raise for clients. Errors that are meant for them have a message after it.
func HidesException(text, tool string) bool {
	name := regexp.QuoteMeta(tool)
	switch {
	case !strings.HasPrefix(text, "Error ") && !strings.HasPrefix(text, "An error occurred"), len(text) > longFailure:
		return false
	}
	return regexp.MustCompile(`^(?:Error executing tool ` + name + `(?:: Error executing tool [\w./-]+)*` + // Python SDK 2
		`|Error calling tool ['"]` + name + `['"]` + // FastMCP with mask_error_details
		`|An error occurred invoking '` + name + `'\.?)$`).MatchString(text) // C#
}

// logged matches the last line of a traceback, in a plain text and in the frame of a logger.
var logged = compile(`(?m)^[\s│]*((?:\w+\.)*[A-Z]\w*(?:Error|Exception)(?:: \S.*?)?)[\s│]*$`)

// wrappers are the exceptions by which SDKs replace another one.
var wrappers = compile(`^(?:\w+\.)*(?:Unexpected)?(?:Tool|Resource)Error\b`)

// FindLogged returns the last exception that a process wrote to stderr, without those of SDKs.
func FindLogged(stderr string) (Exception, bool) {
	all := logged().FindAllStringSubmatch(stderr, -1)
	for i := len(all) - 1; i >= 0; i-- {
		if line := all[i][1]; !wrappers().MatchString(line) {
			found, ok := FindException(line)
			found.Found = line
			return found, ok
		}
	}
	return Exception{}, false
}

// outputErrors matches what SDKs write if a result does not match the output schema of its tool.
var outputErrors = compile(`(?s)^(?:MCP error -32602: |Error (?:executing|calling) tool \S+: )?` +
	`((?:Output validation error: |validating tool output: ).*)$`)

// FindOutputError returns the text by which an SDK reports that a result does not match the output schema of its tool;
// empty if there is none.
func FindOutputError(text string) string {
	if found := outputErrors().FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}
