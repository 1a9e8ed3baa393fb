package distill

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/volatile"
)

// value expects a value: exactly if it is the same in every run, otherwise by its form.
func (e *expecter) value(target, name string, all []sample, depth int) {
	kind := kindOf(all)
	switch variable := e.captured(name, all); {
	case variable != "":
		e.add(target, "exact", reference(variable))
	case isFixed(name, all, e.arguments):
		if text, isText := schema.Text(all[0].value); isText && len(text) > maxExact {
			e.add(target, "length", serve.Encode(len([]rune(text))))
			return
		}
		e.add(target, "exact", all[0].value)
	case depth > maxDepth:
		e.addType(target, kind)
	case kind == "object":
		e.object(target, all, depth)
	case kind == "array" && lengthOf(all) >= 0 && lengthOf(all) <= maxElements:
		e.elements(target, name, all, depth)
	case kind == "string" || kind == "number":
		e.scalar(target, name, kind, all)
	default:
		e.addType(target, kind)
	}
}

// captured returns the name of a value that an earlier step captured; empty if none did.
func (e *expecter) captured(name string, all []sample) string {
	value := string(all[0].value)
	if slices.ContainsFunc(all, func(s sample) bool { return string(s.value) != value }) ||
		schema.Kind(all[0].value) != '"' && !volatile.IsIDName(name) {
		return ""
	}
	return e.variables[value]
}

// object expects the fields that all samples have.
func (e *expecter) object(target string, all []sample, depth int) {
	names, complete := members(all)
	if slices.ContainsFunc(names, func(name string) bool { return token(name) == "" }) {
		e.addType(target, "object")
		return
	}
	for _, name := range names {
		if name != "_meta" {
			e.value(target+token(name), name, fieldOf(all, name), depth+1)
		}
	}
	if complete && !slices.Contains(names, "_meta") {
		e.add(target, "length", serve.Encode(len(names)))
	}
}

// elements expects each element of an array.
func (e *expecter) elements(target, name string, all []sample, depth int) {
	length := lengthOf(all)
	if length < 0 {
		e.addType(target, "array")
		return
	}
	e.add(target, "length", serve.Encode(length))
	for i := range length {
		e.value(fmt.Sprintf("%s[%d]", target, i), name, elementOf(all, i), depth+1)
	}
}

// scalar expects a string or a number that differs from run to run.
func (e *expecter) scalar(target, name, kind string, all []sample) {
	if kind == "number" {
		e.addType(target, kind)
		return
	}
	values := texts(all)
	every := func(is func(string) bool) bool {
		return !slices.ContainsFunc(values, func(v string) bool { return !is(v) })
	}
	switch {
	case every(func(v string) bool { return v == redact.Placeholder }):
		e.add(target, "exists", json.RawMessage("true"))
	case volatile.IsIDName(name):
		e.addType(target, kind)
	case every(func(v string) bool { return volatile.IsText64(name, v) }):
		e.text64(target, all)
	case every(volatile.IsJSON):
		e.json(target, all)
	default:
		e.form(target, all)
	}
}

// form expects a text of the form that all samples have.
func (e *expecter) form(target string, all []sample) {
	if form := commonForm(all); form != "" {
		e.add(target, "regex", rawjson.Quote(form))
		return
	}
	e.addType(target, "string")
}

// commonForm returns the form of all samples; empty if they have several.
func commonForm(all []sample) string {
	form := ""
	for i, s := range all {
		text, _ := schema.Text(s.value)
		own := "^" + formOf(text, s.at) + "$"
		if i > 0 && own != form {
			return ""
		}
		form = own
	}
	return form
}

// text64 expects the form of a text in base64.
func (e *expecter) text64(target string, all []sample) {
	decoded := make([]sample, len(all))
	for i, text := range texts(all) {
		decoded[i] = sample{volatile.Decode64(text), all[i].at}
	}
	if form := commonForm(decoded); form != "" {
		e.add(target, "expression", rawjson.Quote("@base64d | test("+string(rawjson.Quote(form))+")"))
		return
	}
	e.addType(target, "string")
}

// json expects the JSON in a text, with only the types of the values that differ from run to run.
func (e *expecter) json(target string, all []sample) {
	parsed := make([]sample, len(all))
	for i, text := range texts(all) {
		parsed[i] = sample{json.RawMessage(text), all[i].at}
	}
	var paths []string
	want := e.typed("", "", parsed, &paths, 0)
	if want == nil || slices.Contains(paths, "") {
		e.addType(target, "string")
		return
	}
	for i := range paths {
		paths[i] = "." + paths[i]
	}
	e.add(target, "expression", rawjson.Quote("fromjson | ("+strings.Join(paths, ", ")+") |= type | . == "+string(want)))
}

// typed returns a value in which those that differ from run to run are replaced by their types, and adds their jq
// paths; nil if they do not have one type.
func (e *expecter) typed(path, name string, all []sample, paths *[]string, depth int) json.RawMessage {
	kind := kindOf(all)
	switch {
	case isFixed(name, all, e.arguments):
		return json.RawMessage(recording.Canonical(all[0].value))
	case kind == "" || depth > maxDepth:
		return nil
	case kind == "object":
		names, complete := members(all)
		if !complete {
			break
		}
		var out []string
		for _, m := range names {
			value := e.typed(path+"["+string(rawjson.Quote(m))+"]", m, fieldOf(all, m), paths, depth+1)
			if value == nil {
				return nil
			}
			out = append(out, string(rawjson.Quote(m))+":"+string(value))
		}
		return json.RawMessage("{" + strings.Join(out, ",") + "}")
	case kind == "array" && lengthOf(all) >= 0:
		var out []string
		for i := range lengthOf(all) {
			value := e.typed(fmt.Sprintf("%s[%d]", path, i), name, elementOf(all, i), paths, depth+1)
			if value == nil {
				return nil
			}
			out = append(out, string(value))
		}
		return json.RawMessage("[" + strings.Join(out, ",") + "]")
	}
	*paths = append(*paths, path)
	return rawjson.Quote(kind)
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// token returns what a field adds to a target; empty if a target cannot name it.
func token(name string) string {
	switch {
	case plainName.MatchString(name):
		return "." + name
	case !strings.Contains(name, `"`):
		return `["` + name + `"]`
	case !strings.Contains(name, `'`):
		return `['` + name + `']`
	}
	return ""
}
