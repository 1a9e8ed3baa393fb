package skills

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// FrontmatterProblems compares the frontmatter of a SKILL.md with that of an entry, field by field.
func FrontmatterProblems(markdown string, entry json.RawMessage) []Problem {
	const at = "/frontmatter"
	written, err := Frontmatter(markdown)
	if err != nil {
		return []Problem{problem(at, "%v, expected YAML with name and description", err)}
	}
	raw, declared := schema.Get(entry, at)
	if !declared {
		return nil
	}
	var all []Problem
	var listed map[string]any
	_ = json.Unmarshal(raw, &listed)
	for _, name := range slices.Sorted(maps.Keys(written)) {
		if value, has := listed[name]; !has {
			all = append(all, problem(at, "frontmatter lacks the field %s of SKILL.md, expected all fields", quoted(name)))
		} else if !sameValue(written[name], value) {
			all = append(all, problem(at, "frontmatter has another value of %s than SKILL.md, expected the same", quoted(name)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if _, has := written[name]; !has {
			all = append(all, problem(at, "frontmatter has the field %s, which SKILL.md does not have, expected the same fields",
				quoted(name)))
		}
	}
	return all
}

// sameValue reports whether a YAML value is the same as a JSON value. Scalars are compared as text too: parsers differ
// in what they take for a date or a number.
func sameValue(yamlValue, jsonValue any) bool {
	switch a := yamlValue.(type) {
	case map[string]any:
		b, ok := jsonValue.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, value := range a {
			if other, has := b[key]; !has || !sameValue(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := jsonValue.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !sameValue(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(yamlValue, jsonValue) || scalar(jsonValue) && fmt.Sprint(yamlValue) == fmt.Sprint(jsonValue)
}

func scalar(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// DigestProblem compares the digest and the size of an entry in resources with the content of the file; empty if they
// match.
func DigestProblem(file json.RawMessage, data []byte) string {
	want := fmt.Sprintf("sha256:%x", sha256.Sum256(data))
	size, _ := schema.Get(file, "/size")
	if digest := schema.TextAt(file, "/digest"); digest != want {
		return fmt.Sprintf("digest is %s, expected %s%s", quoted(digest), want, lineEndings(data, digest))
	} else if string(size) != strconv.Itoa(len(data)) {
		return fmt.Sprintf("size is %s, expected %d", brief(size), len(data))
	}
	return ""
}

// lineEndings explains a digest of the same file with other line endings.
func lineEndings(data []byte, digest string) string {
	unix := bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	if digest == fmt.Sprintf("sha256:%x", sha256.Sum256(unix)) {
		return "; the digest is that of the file with LF line endings"
	}
	if digest == fmt.Sprintf("sha256:%x", sha256.Sum256(bytes.ReplaceAll(unix, []byte("\n"), []byte("\r\n")))) {
		return "; the digest is that of the file with CRLF line endings"
	}
	return ""
}
