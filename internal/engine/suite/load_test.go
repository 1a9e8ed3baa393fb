package suite

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/outcome"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var update = flag.Bool("update", false, "rewrite the want section of the files in testdata")

// Each file in testdata/problems is a suite that is wrong, and in its section want all that is told about it.
func TestProblems(t *testing.T) {
	paths, err := filepath.Glob("testdata/problems/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files, want := map[string]string{}, -1
			for i, f := range archive.Files {
				if f.Name == "want" {
					want = i
					continue
				}
				files[f.Name] = string(f.Data)
			}
			_, problems := Load(memory(files), func(name string) (string, bool) { return "x", name == "SET" },
				"suite.yaml")
			got := problems.Error() + "\n"
			if *update {
				archive.Files[want].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(got, string(archive.Files[want].Data)); diff != "" {
				t.Errorf("(-got +want):\n%s", diff)
			}
		})
	}
}

// What the decoder takes, the schema for editors takes too, and what it refuses for its shape, the schema refuses.
func TestSchemaAgreesWithTheReader(t *testing.T) {
	compiled, err := schema.Compile(Schema(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, valid := range map[string]bool{
		"servers: {a: demo}\ntools: [{tool: x, args: {a: 1}, expect: {contains: y}}]": true,
		"servers: {a: {command: [x], env: {K: v}}}\ntools: [{name: n, tool: x, expect: [{target: result, matcher: " +
			"{schema: {}}}]}]": true,
		"servers: {a: {url: 'http://x', headers: {A: b}}}\nraw: [{method: ping, expect: {error_code: -1, " +
			"max_duration_ms: 5}}]": true,
		"servers: {a: demo}\nsequences: [{steps: [{tool: x, capture: {id: result.a}}]}]\nrun_options: {parallel: " +
			"auto, restart: file}": true,
		"servers: {a: demo}\ntool_quality: [{name: q, with: {rules: [SCH]}, expect: [{target: min_score, approx: 1}]}]": true,
		"servers: {a: demo}\nsetup: [[make, seed], {command: [x], background: true, wait_for: {tcp: 'a:1'}}]":           true,
		"servers: {a: demo}\ntools: [{tool: x, args: {n: '${n}'}, xfail: issue 1, expect: {rejected: true}, cases: [{n: 1}, " +
			"{name: b, args: {}, expect: {exists: true}, skip: later, xfail: known}]}]": true,
		"servers: {a: demo}\nresources: [{uri: '${u}', cases: {table: [[u], [x]]}}]":                      true,
		"servers: {a: demo}\ntools: [{tool: x, cases: {generate: [omitted, boundaries, invalid]}}]":       true,
		"servers: {a: demo}\nsequences: [{steps: [{tool: '${t}', soft: true}], cases: [{t: x}, {t: y}]}]": true,
		"servers: {a: demo}\ntools: [{tool: x, expect: [{target: 'http.headers[\"a\"]', exact: b}, {target: stdout_noise, " +
			"exact: ''}, {target: notifications, length: 1}]}]": true,
		"servers: {a: demo}\nmatrix: {protocols: 2025-06-18}\ncoverage: {tools: 1, enum_values: 1, error_paths: 1}": true,
		"servers: {a: demo}\ntools: {tool: x, tags: smoke, expect: [{matcher: {equals: y}}, {equals: z}]}":          true,
		"servers: {a: demo}\ntools: {tol: x}":                                                 false,
		"servers: {a: demo}\ntools: [{tool: x, cases: []}]":                                   false,
		"servers: {a: demo}\ntools: [{tool: x, cases: [1]}]":                                  false,
		"servers: {a: demo}\ntools: [{tool: x, cases: {generate: [some]}}]":                   false,
		"servers: {a: demo}\ntools: [{tool: x, cases: {table: [[a]]}}]":                       false,
		"servers: {a: demo}\ntools: [{tool: x, cases: {file: a.csv, table: 1}}]":              false,
		"servers: {a: demo}\ntools: [{tool: x, soft: true}]":                                  false,
		"servers: {a: demo}\ntools: [{tol: x}]":                                               false,
		"servers: {a: demo}\ntools: [{tool: x, expect: {contain: y}}]":                        false,
		"servers: {a: demo}\ntools: [{name: x}]":                                              false,
		"servers: {a: demo}\nrun_options: {timeout: 5}":                                       false,
		"servers: {a: {comand: [x]}}":                                                         false,
		"servers: {a: demo}\ntools: [{tool: x, expect: [{target: result, matcher: {a: 1}}]}]": false,
	} {
		_, problems := Load(memory(map[string]string{"suite.yaml": text}), nil, "suite.yaml")
		if (len(problems) == 0) != valid {
			t.Errorf("%s: the reader says %v, want valid %v", text, problems, valid)
		}
		node, _ := document.Parse("", []byte(text))
		if violations := compiled.Validate(node.JSON()); (len(violations) == 0) != valid {
			t.Errorf("%s: the schema says %v, want valid %v", text, violations, valid)
		}
	}
}

func TestPaths(t *testing.T) {
	for text, want := range map[string]string{
		"result.content[0].text": "result|content|0|text", `tool["a.b]"].score`: "tool|a.b]|score",
		"duration_ms": "duration_ms", "a['x y']": "a|x y",
	} {
		p, err := outcome.ParsePath(text)
		if got := strings.Join(p, "|"); got != want || err != nil {
			t.Errorf("parsePath(%q): got %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", ".a", "a..b", "a[", "a[x]", "a.", "a[-1]"} {
		if p, err := outcome.ParsePath(text); err == nil {
			t.Errorf("parsePath(%q): got %q, want an error", text, p)
		}
	}
}

func TestShardsAreStableCompleteAndBalanced(t *testing.T) {
	var text strings.Builder
	text.WriteString("servers: {s: demo}\ntools:\n")
	for i := range 100 {
		text.WriteString("  - {name: t" + strings.Repeat("i", i) + ", tool: x}\n")
	}
	load := func(shard Shard) []string {
		plan, problems := Load(memory(map[string]string{"s.yaml": text.String()}), nil, "s.yaml")
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if _, err := plan.Choose(Choice{Shard: shard}); err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, test := range plan.Tests() {
			ids = append(ids, test.ID)
		}
		return ids
	}
	seen := map[string]int{}
	for n := 1; n <= 4; n++ {
		ids := load(Shard{n, 4})
		if len(ids) != 25 {
			t.Errorf("shard %d has %d tests, want 25", n, len(ids))
		}
		for _, id := range ids {
			seen[id]++
		}
		if diff := cmp.Diff(ids, load(Shard{n, 4})); diff != "" {
			t.Errorf("shard %d changes: %s", n, diff)
		}
	}
	if len(seen) != 100 {
		t.Errorf("the shards have %d tests, want 100", len(seen))
	}
}
