package hosts

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/cputime"
)

func TestProfiles(t *testing.T) {
	for _, p := range Profiles() {
		if _, err := time.Parse(time.DateOnly, p.Checked); err != nil {
			t.Errorf("%s: checked on %q: %v", p.ID, p.Checked, err)
		}
		if len(p.Sources) == 0 || p.Name == "" {
			t.Errorf("%s has no sources or no name", p.ID)
		}
		for _, source := range p.Sources {
			if !strings.HasPrefix(source, "https://") {
				t.Errorf("%s: source %q; want an address", p.ID, source)
			}
		}
		if found, ok := Find(p.ID); !ok || found.ID != p.ID {
			t.Errorf("Find(%s) = %s, %v", p.ID, found.ID, ok)
		}
	}
	if _, ok := Find("SCH"); ok {
		t.Error("Find takes a family of rules for a host")
	}
}

func TestNameRefuses(t *testing.T) {
	name := Name{Pattern: `^[a-zA-Z0-9_-]+$`, Max: 64}
	for _, bad := range []string{"a.b", "", "größe", strings.Repeat("n", 65)} {
		if name.Refuses(bad) == "" {
			t.Errorf("%q is accepted", bad)
		}
	}
	for _, good := range []string{"a", "get_user-2", strings.Repeat("n", 64)} {
		if why := name.Refuses(good); why != "" {
			t.Errorf("%q is refused: %s", good, why)
		}
	}
	if why := (Name{}).Refuses("anything at all"); why != "" {
		t.Errorf("no rule refuses: %s", why)
	}
}

func TestView(t *testing.T) {
	const composed = `{"type":"object","oneOf":[{"required":["a"]}],"properties":{"a":{"type":"string",` +
		`"maxLength":5}},"required":["a","b"]}`
	for _, test := range []struct{ host, definition, want string }{
		{"anthropic", `{"name":"a.b","description":"D","inputSchema":` + composed + `}`,
			`{"name":"a.b","description":"D","parameters":` + composed + `}`},
		{"copilot", `{"name":"a","inputSchema":` + composed + `}`,
			`{"name":"a","description":"No description provided","parameters":{"type":"object",` +
				`"properties":{"a":{"type":"string","maxLength":5}},"required":["a"]}}`},
		{"copilot", `{"name":"a","description":"D","inputSchema":{"properties":{"a":{"type":"string"}}}}`,
			`{"name":"a","description":"D","parameters":{"type":"object","properties":{}}}`},
		{"copilot", `{"name":"a","description":"D","inputSchema":{"type":"object"}}`,
			`{"name":"a","description":"D","parameters":{"type":"object","properties":{}}}`},
		{"codex", `{"name":"a.b-c","description":"D","inputSchema":{"type":"object","$schema":"x",` +
			`"properties":{"n":{"type":"integer","minimum":1},"c":{"const":1.0},"e":{"enum":["x"]},` +
			`"l":{"type":"array","minItems":1,"maxItems":2},"t":true,"u":{"description":"lost"},"m":{"type":"object",` +
			`"additionalProperties":{"type":"string","pattern":"x"}}},"additionalProperties":false}}`,
			`{"namespace":"mcp__t","name":"a_b_c","description":"D","parameters":{"type":"object",` +
				`"properties":{"n":{"type":"integer"},"c":{"enum":[1.0],"type":"string"},"e":{"enum":["x"],` +
				`"type":"string"},"l":{"type":"array","minItems":1,"items":{"type":"string"}},"t":{"type":"string"},` +
				`"u":{},"m":{"type":"object","additionalProperties":{"type":"string"},"properties":{}}},` +
				`"additionalProperties":false}}`},
		{"codex", `{"name":"a","inputSchema":{"type":"object","properties":{"p":{"type":"array",` +
			`"items":[{"type":"string"}]}}}}`,
			`{"namespace":"mcp__t","name":"a","description":"","parameters":{"type":"object",` +
				`"properties":{"p":{"type":"array","items":[{"type":"string"}]}}},` +
				`"lost":"inputSchema/properties/p/items is an array, not a schema"}`},
		{"gemini-cli", `{"name":"read file","description":"D","inputSchema":{"type":"object",` +
			`"properties":{"a":{"type":["null","string"]},"b":{"type":["string","number","null"]}}}}`,
			`{"name":"mcp_t_read_file","description":"D","parameters":{"type":"object",` +
				`"properties":{"a":{"type":"string","nullable":true},"b":{"type":["string","number","null"]},` +
				`"wait_for_previous":{"type":"boolean","description":"` + geminiWaitPurpose + `"}}}}`},
		{"opencode", `{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}`,
			`{"name":"t_a","description":"","parameters":{"type":"object","properties":{},` +
				`"additionalProperties":false}}`},
		{"gemini-cli", `{"name":"a","inputSchema":{"type":"object"},"outputSchema":{}}`,
			`{"name":"a","description":"","parameters":{"type":"object"},"lost":"outputSchema has no type",` +
				`"loses_server":true}`},
		{"claude-code", `{"name":"a.b","description":"１，２","inputSchema":{"type":"object",` +
			`"properties":{"x":{"description":"ﬁ","default":1.0}}}}`,
			`{"name":"mcp__t__a_b","description":"1,2","parameters":{"type":"object",` +
				`"properties":{"x":{"description":"fi","default":1}}}}`},
		{"claude-code", `{"name":"a","inputSchema":` + composed + `}`,
			`{"name":"a","description":"","parameters":` + composed + `,"lost":"oneOf at the root of inputSchema"}`},
		{"claude-code", `{"name":"a","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,` +
			`"destructiveHint":null}}`,
			`{"name":"a","description":"","parameters":{"type":"object"},"lost":"in annotations, destructiveHint is ` +
				`null","loses_server":true}`},
		{"copilot-cli", `{"name":"a b","inputSchema":{"type":"object","properties":{"s":{"maxLength":5,` +
			`"type":"string","minLength":1,"description":"S"},"l":{"type":"array","items":[{"type":"number",` +
			`"minimum":0}]},"f":false},"anyOf":[{"required":["s"],"not":{}}]}}`,
			`{"name":"t-a-b","description":"","parameters":{"type":"object","properties":{"s":{"type":"string",` +
				`"description":"S\n\n{minLength: 1, maxLength: 5}"},"l":{"type":"array",` +
				`"items":{"anyOf":[{"type":"number","description":"{minimum: 0}"}]}},"f":{"description":"{schema: ` +
				`false}"}},"description":"{anyOf: [{\"not\":{},\"required\":[\"s\"]}]}"}}`},
		{"opencode", `{"name":"a.b","inputSchema":{"type":"object","additionalProperties":true}}`,
			`{"name":"t_a_b","description":"","parameters":{"type":"object","additionalProperties":false,` +
				`"properties":{}}}`},
		{"kilo", `{"name":"a","inputSchema":{"type":"object","properties":{"p":{"pattern":"^(?!x)"},` +
			`"q":{"pattern":"^(?:x)"}}}}`,
			`{"name":"t_a","description":"","parameters":{"type":"object","properties":{"p":{},` +
				`"q":{"pattern":"^(?:x)"}},"additionalProperties":false}}`},
		{"qwen-code", `{"name":"a","inputSchema":{"type":"object"}}`,
			`{"name":"a","description":"","parameters":{"type":"object"},"lost":"no description"}`},
		{"qwen-code", `{"name":"create_or_update_plugin_associated_to_a_specific_consumer","description":"D",` +
			`"inputSchema":{"type":"object"}}`,
			`{"name":"mcp__t__create_or_update_plu___ssociated_to_a_specific_consumer","description":"D",` +
				`"parameters":{"type":"object"}}`},
		{"continue", `{"name":"a b","inputSchema":{"type":"object","title":"T","$defs":{"d":{}},"required":["x"]}}`,
			`{"name":"a b","description":"","parameters":{"type":"object","required":["x"],"properties":{}}}`},
		{"cline", `{"name":"get analytics child content published","description":" \n",` +
			`"inputSchema":{"type":"object","$schema":"x"}}`,
			`{"name":"t__get_analytics_child_content_published_379867b9","description":"Execute MCP tool \"get ` +
				`analytics child content published\" from server \"t\".","parameters":{"type":"object"}}`},
		{"cursor", `{"name":"` + strings.Repeat("n", 61) + `","description":"D","inputSchema":{}}`,
			`{"name":"` + strings.Repeat("n", 61) +
				`","description":"D","parameters":{},"lost":"server name and tool name together are limited to 60 ` +
				`characters, and the tool name alone is longer"}`},
	} {
		profile, ok := Find(test.host)
		if !ok {
			t.Fatalf("no profile %s", test.host)
		}
		definition := json.RawMessage(test.definition)
		got, err := json.Marshal(View(profile, "t", Read(definition)))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != test.want {
			t.Errorf("View(%s, %s) =\n%s, want\n%s", test.host, test.definition, got, test.want)
		}
		if string(definition) != test.definition {
			t.Errorf("View(%s) changed the definition to %s", test.host, definition)
		}
	}
}

// TestViewTooLarge gives a schema that nobody should work on: the view says so instead.
func TestViewTooLarge(t *testing.T) {
	definition := json.RawMessage(`{"name":"a","inputSchema":{"type":"object","anyOf":[{}` +
		strings.Repeat(`,{"type":"object"}`, 90_000) + `]}}`)
	for _, id := range []string{"copilot", "codex", "gemini-cli", "cursor"} {
		profile, _ := Find(id)
		started := cputime.Used()
		if view := View(profile, "t", Read(definition)); view.Unknown == "" {
			t.Errorf("%s: a schema of 90,000 branches is worked on", id)
		}
		if took := cputime.Used() - started; took > time.Second {
			t.Errorf("%s took %v", id, took)
		}
	}
}

// TestCodexCuts follows the steps by which a schema is cut: each is taken only while the schema is too large.
func TestCodexCuts(t *testing.T) {
	long := strings.Repeat("x", CodexBudget)
	for _, test := range []struct{ schema, keeps, loses string }{
		{`{"type":"object","properties":{"a":{"type":"string","description":"short"}}}`, "short", "never"},
		{`{"type":"object","description":"` + long +
			`","$defs":{"d":{"type":"string"}},"properties":{"p":{"$ref":"#/$defs/d"}}}`, "$defs", "xxx"},
		{`{"type":"object","$defs":{"d":{"enum":["` + long +
			`"]}},"anyOf":[{"type":"object"}],"properties":{"p":{"$ref":"#/$defs/d"}}}`, `"p":{}`, "$defs"},
		{`{"type":"object","properties":{"a":{"type":"string"},"b":{"anyOf":[{"enum":["` + long + `"]}]}}}`, `"b":{}`,
			"anyOf"},
	} {
		got := string(CodexSchema(json.RawMessage(test.schema)))
		if !strings.Contains(got, test.keeps) || strings.Contains(got, test.loses) || len(got) > CodexBudget {
			t.Errorf("CodexSchema keeps %.100s (%d bytes), want it to keep %s and lose %s", got, len(got), test.keeps,
				test.loses)
		}
	}
	deep := json.RawMessage(`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object",` +
		`"properties":{"c":{"type":"object","properties":{"d":{"enum":["` + long + `"]}}}}}}}}}`)
	if got := string(CodexSchema(deep)); !strings.Contains(got, `"c"`) || strings.Contains(got, `"d"`) {
		t.Errorf("CodexSchema of a deep schema = %.200s, want c emptied", got)
	}
}

func TestLongNames(t *testing.T) {
	one, two := strings.Repeat("a", 100)+"1"+strings.Repeat("b", 60),
		strings.Repeat("a", 100)+"2"+strings.Repeat("b", 60)
	if GeminiName(one) != GeminiName(two) || len(GeminiName(one)) != 63 {
		t.Errorf("GeminiName cuts to %q and %q, want the same 63 characters", GeminiName(one), GeminiName(two))
	}
	const longest = 128 - len("mcp__") - len("__")
	if CodexName(one) == CodexName(two) || len(CodexName(one)) != longest {
		t.Errorf("CodexName cuts to %q and %q, want %d characters that differ", CodexName(one), CodexName(two), longest)
	}
}
