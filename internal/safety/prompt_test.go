package safety

import "testing"

func TestPromptsWithEffects(t *testing.T) {
	for _, c := range []struct {
		name, description string
		free              bool
	}{
		{name: "run_command"}, {name: "executeCode"}, {name: "shell"}, {name: "exec"}, {name: "delete_order"},
		{name: "output", description: "Runs a shell command and includes its output."},
		{name: "report", description: "Execute the given SQL query"}, {name: "orders", description: "Deletes an order for good."},
		{name: "explain_shell", description: "Explains what a line means", free: true},
		{name: "write_report", description: "Write a report about a topic", free: true},
		{name: "greet", description: "Greets a person", free: true}, {name: "dry_run_plan", free: true},
		{name: "code_review", description: "Review the code before you run it", free: true},
	} {
		raw := tool(c.name, c.description, "")
		if why := (Permit{}).Prompt(raw); (why == "") != c.free {
			t.Errorf("%s, %q: %q; want free %v", c.name, c.description, why, c.free)
		}
		for _, p := range []Permit{{All: true}, {Tools: []string{c.name}}, {Unannotated: true}} {
			if why := p.Prompt(raw); why != "" {
				t.Errorf("%s with %+v: %q; want it permitted", c.name, p, why)
			}
		}
	}
}
