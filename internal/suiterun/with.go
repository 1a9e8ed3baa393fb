package suiterun

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/ops/hosttools"
	"github.com/mcptest-dev/mcptest/internal/typo"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// withKeys are the allowed engine options in a suite block, by block name.
func withKeys() map[string][]string {
	quality := keysOf(reflect.TypeFor[lintWith]())
	return map[string][]string{
		"tool_quality": quality, "schema_lint": quality, "conform": keysOf(reflect.TypeFor[conformWith]()),
		"fuzz": keysOf(reflect.TypeFor[fuzzWith]()), "performance": keysOf(reflect.TypeFor[loadWith]()),
		"locked": keysOf(reflect.TypeFor[lockedWith]()), "find": keysOf(reflect.TypeFor[hosttools.FindBlock]()),
	}
}

func keysOf(options reflect.Type) []string {
	var all []string
	for _, f := range workbench.FieldsOf(options) {
		all = append(all, f.Name)
	}
	return all
}

// checkWith finds unknown engine options before anything is started.
func checkWith(p *suite.Plan) document.Problems {
	var problems document.Problems
	keys := withKeys()
	for _, t := range p.Tests() {
		known := keys[t.Engine]
		if t.With == nil || known == nil {
			continue
		}
		if kind := t.With.Kind; kind == document.List ||
			kind != document.Map && kind != document.Null && !strings.HasPrefix(t.With.Text, "${") {
			problems = append(problems, document.Problem{File: t.File, Line: t.With.Line, Column: t.With.Column,
				Message: fmt.Sprintf("with: found %s, expected a mapping of %s", document.Describe(t.With),
					strings.Join(known, ", "))})
		}
		for _, given := range t.With.Pairs {
			if problem := unknownOption(given.Key, known); problem != "" {
				problems = append(problems, document.Problem{File: t.File, Line: given.Line, Column: given.Column,
					Message: problem})
			}
		}
	}
	return problems
}

// userKeys are options that only the user may set, and the flags that do.
var userKeys = map[string]string{
	"allow_disruptive": "--allow-disruptive", "allow_destructive": "--allow-calls", "allow_calls": "--allow-calls",
	"allow": "--allow-calls",
}

func unknownOption(name string, known []string) string {
	for _, k := range known {
		if k == name {
			return ""
		}
	}
	if flag := userKeys[name]; flag != "" {
		return fmt.Sprintf("with: %s is not allowed in a suite: only the user can permit it; run: mcptest run %s", name,
			flag)
	}
	if meant := typo.Best(name, known); meant != "" {
		return fmt.Sprintf("with: unknown key %q; did you mean %s?", name, meant)
	}
	return fmt.Sprintf("with: unknown key %q, expected one of %s", name, strings.Join(known, ", "))
}

// wrongOption describes an invalid engine option in terms of the suite.
func wrongOption(err error) string {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return err.Error()
	}
	want := "a mapping"
	switch kind.Type.Kind() {
	case reflect.Int, reflect.Uint64:
		want = "an integer"
	case reflect.Float64:
		want = "a number"
	case reflect.Bool:
		want = "a boolean"
	case reflect.String:
		want = "a string"
	case reflect.Slice:
		want = "a list"
	}
	return fmt.Sprintf("%s: found %s, expected %s", cmp.Or(kind.Field, "options"), kind.Value, want)
}
