package runners

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// project is a folder with the scenarios of Vitest, changed for another runner, and with links to packages.
func project(t *testing.T, file string, replace []string, links map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile("testdata/vitest/scenarios.test.mjs")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer(replace...).Replace(string(text))
	if len(replace) > 0 && strings.Contains(changed, "from 'vitest'") {
		t.Fatal("the scenarios still import Vitest")
	}
	links["@mcptest/vitest"] = filepath.Join(root, "plugins", "vitest")
	for name, to := range links {
		link := filepath.Join(dir, "node_modules", filepath.FromSlash(name))
		_ = os.MkdirAll(filepath.Dir(link), 0o755)
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{file: changed, "package.json": "{}"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A jsonReport is what Vitest and Jest write.
type jsonReport struct {
	TestResults []struct {
		AssertionResults []struct {
			Title, Status   string
			FailureMessages []string
		}
	}
}

func readJSONReport(t *testing.T, file string, out []byte) map[string]outcome {
	t.Helper()
	var report jsonReport
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &report) != nil || len(report.TestResults) != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	all := map[string]outcome{}
	for _, r := range report.TestResults[0].AssertionResults {
		all[r.Title] = javascript(r.Title, r.Status, strings.Join(r.FailureMessages, "\n"))
	}
	return all
}

// javascript is an outcome; an expected failure passes in these runners, without a text.
func javascript(name, verdict, text string) outcome {
	if name == "xfail" && verdict == "passed" {
		return outcome{"xfailed", "expected failure: issue 12 (text: expectation failed)"}
	}
	return outcome{verdict, text}
}

func inVitest(t *testing.T) map[string]outcome {
	vitest := filepath.Join(need(t, "vitest"), "node_modules", "vitest")
	dir := project(t, "scenarios.test.mjs", nil, map[string]string{"vitest": vitest})
	out, _ := command(dir, "node", filepath.Join(vitest, "vitest.mjs"), "run", "--reporter=json",
		"--outputFile=report.json").CombinedOutput()
	return readJSONReport(t, filepath.Join(dir, "report.json"), out)
}

// inJest also stops the server after mcptest itself: Jest calls hooks in the order of their definition.
func inJest(t *testing.T) map[string]outcome {
	dir := project(t, "scenarios.test.js", []string{"import { beforeAll, test } from 'vitest'\n", "",
		"import { start } from '@mcptest/vitest'", "const { start, shutdown } = require('@mcptest/vitest')\n" +
			"afterAll(shutdown)\nafterAll(() => server.stop())"}, map[string]string{})
	jest := filepath.Join(need(t, "jest"), "node_modules", "jest", "bin", "jest.js")
	out, _ := command(dir, "node", jest, "--json", "--outputFile=report.json").CombinedOutput()
	if bytes.Contains(out, []byte("has ended")) {
		t.Errorf("expected hooks without errors, got\n%s", out)
	}
	return readJSONReport(t, filepath.Join(dir, "report.json"), out)
}

func inNode(t *testing.T) map[string]outcome {
	return nodeTest(t, project(t, "scenarios.test.mjs", []string{"import { beforeAll, test } from 'vitest'",
		"import { before as beforeAll, test } from 'node:test'"}, map[string]string{}))
}

func suiteInNode(t *testing.T) map[string]outcome {
	suite, err := filepath.Abs("testdata/scenarios.mcptest.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := project(t, "scenarios.mjs", nil, map[string]string{})
	text := "require('@mcptest/vitest').suite(" + strconv.Quote(suite) + ", require('node:test'))\n"
	if err := os.WriteFile(filepath.Join(dir, "suite.test.cjs"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return nodeTest(t, dir)
}

// nodeReporter writes the results of node:test as JSON: its reporter for JUnit drops line breaks.
const nodeReporter = `export default async function* (events) {
  for await (const { type, data } of events) {
    const error = data?.details?.error
    if (type === 'test:pass' || type === 'test:fail') {
      yield JSON.stringify({ type, name: data.name, text: (error?.cause ?? error)?.message }) + '\n'
    }
  }
}
`

// nodeTest runs the tests of a folder with node:test.
func nodeTest(t *testing.T, dir string) map[string]outcome {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "reporter.mjs"), []byte(nodeReporter), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := command(dir, "node", "--test", "--test-reporter=./reporter.mjs").CombinedOutput()
	all := map[string]outcome{}
	for line := range bytes.Lines(out) {
		var event struct{ Type, Name, Text string }
		if json.Unmarshal(line, &event) != nil {
			t.Fatalf("%s", out)
		}
		verdict := map[string]string{"test:pass": "passed", "test:fail": "failed"}[event.Type]
		name := event.Name[strings.LastIndexByte(event.Name, '/')+1:]
		all[name] = javascript(name, verdict, event.Text)
	}
	return all
}
