package distill

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/volatile"
)

// A section is a key of the suite with its tests.
type section struct {
	key   string
	tests []*test
}

// write writes the suite.
func (d *distiller) write(server string, tests []*test) {
	d.names = map[string]bool{}
	d.line("# Generated from a recording. Tests with the tag unsafe call tools without readOnlyHint; to skip them, run:")
	d.line("# mcptest run --skip-tag unsafe")
	d.line("servers:\n%s", strings.TrimSuffix(server, "\n"))
	sections := []section{{key: "raw"}, {key: "tools"}, {key: "resources"}, {key: "prompts"}, {key: "completions"},
		{key: "sequences"}}
	for _, t := range tests {
		key := "sequences"
		if len(t.steps) == 1 {
			key = requestOf(t.steps[0].exchange).section
		}
		at := slices.IndexFunc(sections, func(s section) bool { return s.key == key })
		sections[at].tests = append(sections[at].tests, t)
	}
	capabilities := d.unansweredCapabilities(tests)
	for _, s := range sections {
		if len(s.tests) == 0 {
			continue
		}
		d.line("\n%s:", s.key)
		for _, t := range s.tests {
			d.suite.Tests++
			if s.key == "sequences" {
				d.sequence(t)
				continue
			}
			d.step("  ", t.steps[0], map[string]string{}, capabilities)
			capabilities = nil
		}
	}
	d.suite.YAML = []byte(d.text.String())
}

func (d *distiller) line(format string, args ...any) { fmt.Fprintf(&d.text, format+"\n", args...) }

// sequence writes a test of several steps.
func (d *distiller) sequence(t *test) {
	var subjects []string
	for _, s := range t.steps {
		r := requestOf(s.exchange)
		subjects = append(subjects, cmp.Or(r.subject, s.exchange.Method))
	}
	name := clip.Text(strings.Join(slices.Compact(subjects), ", "), maxName)
	d.line("  - name: %q", d.unique("sequences", name))
	if slices.ContainsFunc(t.steps, d.isUnsafe) {
		d.line("    tags: %s", unsafeTag)
	}
	d.line("    steps:")
	variables := map[string]string{}
	for _, s := range t.steps {
		d.step("      ", s, variables, nil)
		for _, c := range s.captures {
			variables[string(c.value)] = c.name
		}
	}
}

// step writes a test or a step of one.
func (d *distiller) step(indent string, s *step, variables map[string]string, answers map[string][]json.RawMessage) {
	x, r := s.exchange, requestOf(s.exchange)
	w := &writer{variables: variables}
	first := "- "
	line := func(key, value string) {
		d.line("%s%s%s:%s", indent, first, key, strings.TrimRight(" "+value, " "))
		first = "  "
	}
	inSequence := indent != "  "
	if inSequence {
		r = r.inStep(x)
	} else {
		line("name", fmt.Sprintf("%q", d.unique(r.section, r.name(x))))
	}
	r.write(w, line, inSequence)
	if !inSequence && d.isUnsafe(s) {
		line("tags", unsafeTag)
	}
	d.answers(w, line, s, answers)
	for i, a := range s.expectations(variables) {
		if i == 0 {
			line("expect", "")
		}
		target := ""
		if a.target != "" {
			target = "target: " + yaml(a.target) + ", "
		}
		d.line("%s    - {%s%s: %s}", indent, target, a.matcher, w.value("", a.arg))
	}
	if len(s.captures) > 0 {
		line("capture", "")
		for _, c := range s.captures {
			d.line("%s    %s: %s", indent, c.name, yaml(c.location))
		}
	}
	for _, name := range w.secrets {
		if !slices.Contains(d.suite.Variables, name) {
			d.suite.Variables = append(d.suite.Variables, name)
		}
	}
}

// unsafeTag is the tag of tests that call tools that are not safe.
const unsafeTag = "[unsafe]"

func (d *distiller) isUnsafe(s *step) bool {
	return s.exchange.Method == "tools/call" && safety.Of(d.tools[schema.TextAt(s.exchange.Params, "/name")]).Calls == 0
}

// maxName is the maximum length of the name of a test.
const maxName = 80

// unique returns a name that no other test of the section has.
func (d *distiller) unique(section, name string) string {
	out := name
	for n := 2; d.names[section+"/"+out]; n++ {
		out = fmt.Sprintf("%s (%d)", name, n)
	}
	d.names[section+"/"+out] = true
	return out
}

// answers writes the responses of the client to the requests of the server, and more of them.
func (d *distiller) answers(w *writer, line func(key, value string), s *step, more map[string][]json.RawMessage) {
	all := map[string][]json.RawMessage{}
	for kind, answers := range more {
		all[kind] = answers
	}
	for _, step := range s.exchange.Steps {
		if kind := answerKinds[step.Method]; step.Request && kind == "roots" {
			roots, _ := schema.Get(step.Reply, "/roots")
			all[kind], _ = schema.Elements(roots)
		} else if step.Request && kind != "" {
			all[kind] = append(all[kind], step.Reply)
		}
	}
	var parts []string
	for _, kind := range []string{"elicitation", "sampling", "roots"} {
		if len(all[kind]) == 0 {
			continue
		}
		values := make([]string, len(all[kind]))
		for i, v := range all[kind] {
			values[i] = w.value("", v)
		}
		parts = append(parts, kind+": ["+strings.Join(values, ", ")+"]")
	}
	if len(parts) > 0 {
		line("answers", "{"+strings.Join(parts, ", ")+"}")
	}
}

// answerKinds are the methods of a server that a suite can answer.
var answerKinds = map[string]string{"elicitation/create": "elicitation", "sampling/createMessage": "sampling",
	"roots/list": "roots"}

// unansweredCapabilities returns answers for what the recorded client could do and no test shows. A run declares only
// the capabilities that tests have answers for, and servers offer other tools to other clients.
func (d *distiller) unansweredCapabilities(tests []*test) map[string][]json.RawMessage {
	has := serve.Members(d.session.Capabilities)
	all := map[string][]json.RawMessage{}
	if has["elicitation"] != nil {
		all["elicitation"] = []json.RawMessage{json.RawMessage(`{"action":"cancel"}`)}
	}
	if has["sampling"] != nil {
		all["sampling"] = []json.RawMessage{json.RawMessage(
			`{"role":"assistant","content":{"type":"text","text":"none"},"model":"none"}`)}
	}
	if has["roots"] != nil {
		all["roots"] = []json.RawMessage{json.RawMessage(`{"uri":"file:///"}`)}
	}
	note := func(s *recording.Step) {
		if kind := answerKinds[s.Method]; s.Request && kind == "roots" && s.Reply != nil {
			roots, _ := schema.Get(s.Reply, "/roots")
			if list, _ := schema.Elements(roots); len(list) > 0 {
				all[kind] = list
			}
		} else if s.Request && s.Reply != nil {
			delete(all, kind)
		}
	}
	for _, e := range d.session.Events {
		if e.Method == "roots/list" {
			note(&e.Step)
		}
	}
	for _, t := range tests {
		for _, s := range t.steps {
			for _, step := range s.exchange.Steps {
				note(step)
			}
		}
	}
	return all
}

// A writer writes JSON values as YAML.
type writer struct {
	variables map[string]string // captured values as JSON, and their names
	secrets   []string          // environment variables that it wrote
}

// reference returns a value that is written as ${name}.
func reference(name string) json.RawMessage { return json.RawMessage(`"` + refMark + name + `"`) }

// refMark marks a reference. No other value begins with it: JSON has no control characters in strings.
const refMark = "\x00ref:"

// value returns a value of a field in the flow style of YAML. Captured values and secrets become references.
func (w *writer) value(name string, value json.RawMessage) string {
	if name, isReference := strings.CutPrefix(string(value), `"`+refMark); isReference {
		return `"${` + strings.TrimSuffix(name, `"`) + `}"`
	}
	switch schema.Kind(value) {
	case '{':
		members, _ := schema.Members(value)
		out := make([]string, len(members))
		for i, m := range members {
			out[i] = fmt.Sprintf("%q: %s", m.Name, w.value(m.Name, m.Value))
		}
		return "{" + strings.Join(out, ", ") + "}"
	case '[':
		elements, _ := schema.Elements(value)
		out := make([]string, len(elements))
		for i, e := range elements {
			out[i] = w.value(name, e)
		}
		return "[" + strings.Join(out, ", ") + "]"
	case '"':
		text, _ := schema.Text(value)
		return w.text(name, text)
	}
	if variable := w.variables[string(value)]; variable != "" && volatile.IsIDName(name) {
		return `"${` + variable + `}"`
	}
	return string(value)
}

// text returns a string with references.
func (w *writer) text(name, text string) string {
	if variable := w.variables[string(rawjson.Quote(text))]; variable != "" {
		return `"${` + variable + `}"`
	}
	out := variables.Escape(text)
	for _, id := range volatile.IDs(text) {
		if variable := w.variables[string(rawjson.Quote(id))]; variable != "" {
			out = strings.ReplaceAll(out, id, "${"+variable+"}")
		}
	}
	if isRedacted(text) {
		variable := secretVariable(name)
		w.secrets = append(w.secrets, variable)
		out = strings.ReplaceAll(out, redact.Placeholder, "${"+variable+"}")
	}
	return fmt.Sprintf("%q", out)
}

// secretVariable returns the environment variable for the secret in a field. Reports redact the values of variables
// with such a name.
func secretVariable(field string) string {
	name := strings.ToUpper(notInName.ReplaceAllString(field, "_"))
	switch {
	case name == "":
		return "RECORDED_SECRET"
	case name[0] >= '0' && name[0] <= '9' || !redact.SecretName(name):
		return "SECRET_" + name
	}
	return name
}

// yaml quotes a text without references.
func yaml(text string) string { return fmt.Sprintf("%q", variables.Escape(text)) }
