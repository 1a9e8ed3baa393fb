package suite

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// TestSchemaAcceptsSuitesOfScripts validates every suite that a script of the command line runs, so that editors know what
// suites can do.
func TestSchemaAcceptsSuitesOfScripts(t *testing.T) {
	compiled, err := schema.Compile(Schema(), nil)
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("../../../cmd/mcptest/testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	suites := 0
	for _, script := range scripts {
		data, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string][]byte{}
		for _, f := range txtar.Parse(data).Files {
			files[f.Name] = f.Data
		}
		read := Files{Read: func(name string) ([]byte, error) {
			if text, ok := files[filepath.ToSlash(filepath.Clean(name))]; ok {
				return text, nil
			}
			return nil, fs.ErrNotExist
		}}
		for name, text := range files {
			if !strings.HasSuffix(name, ".yaml") {
				continue
			}
			plan, problems := Load(read, func(string) (string, bool) { return "x", true }, name)
			if len(problems) > 0 || len(plan.Tests()) == 0 {
				continue // a script about wrong files, or a file of something else
			}
			suites++
			node, _ := document.Parse(name, text)
			if violations := compiled.Validate(node.JSON()); len(violations) > 0 {
				t.Errorf("%s, %s: %v", filepath.Base(script), name, violations)
			}
		}
	}
	if suites < 50 {
		t.Errorf("got %d suites, want at least 50", suites)
	}
}
