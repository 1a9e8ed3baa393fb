package cases

import "strings"

// Proven is the value of the expressions in texts that become part of code. None of them contains it.
const Proven = "83990"

// Each proof needs a function, a method or a command beside numbers: a tool that adds the numbers of a text, calculates
// what is left of it without letters, or returns its digits gets another value. Evaluators that are made for texts of
// strangers have none of them either: they deny attributes with underscores, built-in functions and methods.
const (
	shellProof      = "expr 83992 - xx : xx"
	sqlProof        = "83992-length('xx')"
	pythonProof     = "83992-'xx'.__len__()"
	builtinProof    = "83991-callable(len)"
	javaScriptProof = "83992-'xx'.concat('').length"
)

var proofs = []struct{ language, text string }{
	{"shell command", shellProof}, {"SQL", sqlProof}, {"Python code", pythonProof}, {"Python code", builtinProof},
	{"JavaScript code", javaScriptProof},
}

// Proof is what a text contains whose value only an interpreter gets, such as "Python code"; empty if there is nothing,
// or if the text has the value itself.
func Proof(text string) string {
	for _, p := range proofs {
		if strings.Contains(text, p.text) && !strings.Contains(text, Proven) {
			return p.language
		}
	}
	return ""
}
