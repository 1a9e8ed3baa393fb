package workbench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
)

// A foundFile is what is needed to show a defect again.
type foundFile struct {
	Rule   string      `json:"rule"`
	Breach string      `json:"breach"`
	Steps  []fuzz.Step `json:"steps"`
}

// writeFound writes, for each defect, a suite that fails as long as it is there, and a file to replay.
func writeFound(dir string, r *fuzz.Result, c *Connection) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, &UsageError{Message: err.Error(), Hint: "--out wants a directory that can be written to"}
	}
	var files []string
	for i, f := range r.Found {
		if len(f.Steps) == 0 {
			continue // no call shows it
		}
		name := foundName(dir, i, f)
		raw, err := json.MarshalIndent(foundFile{f.Rule.ID, f.Breach, f.Steps}, "", "  ")
		if err != nil {
			return files, err
		}
		if err := writeFile(name+".json", append(raw, '\n')); err != nil {
			return files, &UsageError{Message: err.Error()}
		}
		files = append(files, name+".json")
		if text, ok := suiteOf(f, c); ok {
			if err := writeFile(name+".mcptest.yaml", []byte(text)); err != nil {
				return files, &UsageError{Message: err.Error()}
			}
			files = append(files, name+".mcptest.yaml")
		}
	}
	return files, nil
}

// suiteOf is a defect as a test that passes once it is mended. What a suite cannot say has none: frames, cancellations.
func suiteOf(f *fuzz.Found, c *Connection) (string, bool) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\nservers:\n%ssequences:\n  - name: %s\n    timeout: 10s\n    steps:\n", f.Rule.ID, oneLineOf(f.Breach), serverLines(c), quoteYAML(f.Rule.Title()))
	steps := f.Unfolded()
	for i, s := range steps {
		if s.Tool == "" || s.Cancel {
			return "", false
		}
		fmt.Fprintf(&b, "      - tool: %s\n        args: %s\n", quoteYAML(s.Tool), strings.ReplaceAll(string(s.Arguments), "${", "$${"))
		if i < len(steps)-1 {
			b.WriteString("        expect: {target: result.isError, one_of: [true, false]}\n")
			continue
		}
		fmt.Fprintf(&b, "        expect: %s\n", expectationOf(f))
	}
	return b.String(), true
}

// expectationOf is what a good server does in the place of the defect.
func expectationOf(f *fuzz.Found) string {
	switch f.Rule.ID {
	case "FUZZ-004", "FUZZ-008":
		return "{expression: '.isError == true'}"
	case "FUZZ-003":
		return "{target: result.content, schema: {type: array, items: {type: object, required: [type]}}}"
	case "FUZZ-006":
		if f.Output != nil {
			return fmt.Sprintf("{target: result.structuredContent, schema: %s}", strings.ReplaceAll(string(f.Output), "${", "$${"))
		}
	case "FUZZ-007":
		return `{target: text, not: {regex: "Traceback|goroutine|/(home|root|srv|app|usr)/|API_KEY"}}`
	}
	return "{target: result.isError, one_of: [true, false]}"
}

func oneLineOf(text string) string { return strings.Join(strings.Fields(text), " ") }

func readSteps(path string) ([]fuzz.Step, string, error) {
	data, err := readSuite(path)
	if err != nil {
		return nil, "", &UsageError{Message: err.Error(), Hint: "want a file that mcptest fuzz --out wrote"}
	}
	var file foundFile
	if err := strictJSON(data, &file); err != nil || len(file.Steps) == 0 {
		return nil, "", &UsageError{Message: fmt.Sprintf("%s holds no steps to replay", path), Hint: "want a file that mcptest fuzz --out wrote"}
	}
	for i, s := range file.Steps { // the file is indented, the call was not
		var b bytes.Buffer
		if json.Compact(&b, s.Arguments) == nil {
			file.Steps[i].Arguments = b.Bytes()
		}
	}
	return file.Steps, file.Rule, nil
}
