// Package internal holds the layers of mcptest; this test keeps them in order.
package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/mcptest-dev/mcptest/"

// layers are the layers of the code, the lowest first. A package may import those of lower layers, and of its own layer
// only those that beside lists.
var layers = [][]string{
	{"internal/clip", "internal/files", "internal/hint", "internal/jsonfold", "internal/picture", "internal/redirect", "internal/shell", "internal/typo",
		"internal/gateway/latency", "internal/gateway/naming", "internal/protocol/wire/supervise"},
	{"internal/stdinwake", "internal/exposure", "internal/finding", "internal/netguard", "internal/redact",
		"internal/timeout", "internal/protocol/wire", "internal/protocol/rawjson", "internal/protocol/spec",
		"internal/cputime", "internal/golden", "internal/leaktest", "internal/realdata", "internal/sdk",
		"internal/systrace", "internal/chromium", "web"},
	{"internal/advice", "internal/report", "internal/protocol/schema", "internal/protocol/mcp",
		"internal/protocol/auth", "internal/protocol/wiretest", "internal/expression", "internal/document"},
	{"internal/engine/fuzz/cases", "internal/engine/fuzz/echo", "internal/engine/fuzz/frames",
		"internal/engine/fuzz/growth", "internal/engine/fuzz/words", "internal/engine/suite/variables", "internal/protocol/apps", "internal/protocol/arguments", "internal/protocol/hosts", "internal/protocol/serve", "internal/protocol/skills",
		"internal/protocol/subschema",
		"internal/config", "internal/safety", "internal/gateway/store"},
	{"internal/engine/suite/match", "internal/engine/suite/fixture", "internal/protocol/calls", "internal/recording", "internal/tap/fault", "internal/volatile", "internal/appview"},
	{"internal/engine/suite/outcome"},
	{"internal/target", "internal/demo", "internal/tap", "internal/hostrun", "internal/mock", "internal/replay",
		"internal/engine/lint",
		"internal/engine/conform",
		"internal/engine/suite", "internal/engine/fuzz", "internal/engine/load", "internal/engine/isolate", "internal/engine/ready",
		"internal/engine/change",
		"internal/engine/find", "internal/engine/render", "internal/gateway/catalog", "internal/gateway/upstream", "internal/gateway/access"},
	{"internal/gateway/invoke", "internal/gateway/quarantine", "internal/gateway/accounts", "internal/diagnose", "internal/distill",
		"internal/engine/suite/scaffold"},
	{"internal/gateway/forward", "internal/gateway/metatools", "internal/gateway/callmetrics", "internal/gateway/status", "internal/gateway/tracing", "internal/gateway/replicas"},
	{"internal/gateway/frontend"},
	{"internal/workbench"},
	{"internal/connections", "internal/ops/recordings", "internal/ops/requests",
		"internal/ops/signin"},
	{"internal/ops/engines"},
	{"internal/ops/hosttools"},
	{"internal/ops/changes"},
	{"internal/suiterun"},
	{"internal/ops/check", "internal/gateway", "internal/driver"},
	{"internal/ops"},
	{"internal/view", "internal/screen"},
	{"internal/har"},
	{"internal/timeline"},
	{"internal/inspector/surfacestore"},
	{"internal/inspector"},
	{"internal/surface/mcpserver", "internal/surface/httpapi", "internal/surface/dashboard",
		"internal/surface/tapview"},
	{"internal/surface/cli"},
	{"cmd/mcptest"},
}

// thirdParty is the folder with copies of packages that others wrote. They have no layer: every package may import
// them, and they import none of the others. The limits for sizes do not apply to them; tools/plain.py skips them.
const thirdParty = "internal/third_party"

func isThirdParty(pkg string) bool { return strings.HasPrefix(pkg, thirdParty+"/") }

// beside lists the imports within a layer that are intended.
var beside = map[string][]string{}

// bare packages import nothing but the standard library and what is listed.
var bare = map[string][]string{
	"internal/stdinwake":       nil,
	"internal/clip":            nil,
	"internal/exposure":        {module + "internal/clip"},
	"internal/files":           nil,
	"internal/finding":         nil,
	"internal/gateway/latency": nil,
	"internal/gateway/naming":  nil,
	"internal/hint":            nil,
	"internal/lazyregexp":      nil,
	"internal/netguard":        {module + "internal/redirect"},
	"internal/picture":         nil,
	"internal/redact":          nil,
	"internal/redirect":        nil,
	"internal/sdk":             {module + "internal/lazyregexp"},
	"internal/shell":           nil,
	"internal/timeout":         nil,
	"internal/typo":            nil,
	"internal/protocol/wire": {"golang.org/x/sys/unix", "golang.org/x/sys/windows", module + "internal/clip",
		module + "internal/hint", module + "internal/redirect", module + "internal/protocol/wire/supervise"},
	"internal/protocol/wire/supervise": nil,
}

// forTests are packages that only tests may import.
var forTests = []string{"internal/cputime", "internal/golden", "internal/leaktest", "internal/realdata",
	"internal/systrace", "internal/protocol/wiretest", "testservers/"}

func TestImportsPointDown(t *testing.T) {
	for _, im := range imports(t) {
		own, ok := strings.CutPrefix(im.path, module)
		if ok && !im.test {
			checkLayer(t, im.from, own)
			for _, prefix := range forTests {
				if strings.HasPrefix(own, prefix) && !strings.HasPrefix(im.from, "testservers/") {
					t.Errorf("%s: %s imports %s, which is for tests", im.file, im.from, own)
				}
			}
		}
		allowed, isBare := bare[im.from]
		if isBare && !im.test && strings.Contains(strings.Split(im.path, "/")[0], ".") &&
			!slices.Contains(allowed, im.path) {
			t.Errorf("%s: %s imports %s, expected only the standard library", im.file, im.from, im.path)
		}
	}
}

func checkLayer(t *testing.T, from, to string) {
	t.Helper()
	if strings.HasPrefix(from, "testservers/") || strings.HasPrefix(from, "tools/") ||
		strings.HasPrefix(from, "bench") || strings.HasPrefix(from, "examples/") {
		return // they are not part of the layers
	}
	low, high := layerOf(to), layerOf(from)
	switch {
	case isThirdParty(from):
		if !isThirdParty(to) {
			t.Errorf("%s imports %s, expected no package outside %s", from, to, thirdParty)
		}
	case high < 0:
		t.Errorf("%s has no layer; add it to arch_test.go and ARCHITECTURE.md", from)
	case low > high, low == high && !slices.Contains(beside[from], to):
		t.Errorf("%s (layer %d) imports %s (layer %d); imports point down only", from, high, to, low)
	}
}

func layerOf(pkg string) int {
	return slices.IndexFunc(layers, func(layer []string) bool { return slices.Contains(layer, pkg) })
}

// An imported is one import of one file.
type imported struct {
	file, from, path string
	test             bool
}

// imports reads the imports of every file in the module. It parses in this process: a test that runs go list would be
// cached and pass on a violation.
func imports(t *testing.T) []imported {
	t.Helper()
	var all []imported
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" ||
			strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		from := path.Dir(filepath.ToSlash(strings.TrimPrefix(name, ".."+string(filepath.Separator))))
		for _, spec := range file.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			all = append(all, imported{file: name, from: from, path: target, test: strings.HasSuffix(name, "_test.go")})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("found %d imports, expected those of the whole module", len(all))
	}
	return all
}

// revisionDate matches a string literal that is the ID of a revision, or JSON with one. Dates in prose are documentation.
var revisionDate = regexp.MustCompile("(?:^[\"`]|\": ?\")" +
	"(2024-10-07|2024-11-05|2025-03-26|2025-06-18|2025-11-25|2026-07-28)(?:[\"`]$|\")")

// Only spec contains the IDs of revisions: other packages use its names, or the properties of a revision.
func TestOnlySpecHasRevisionDates(t *testing.T) {
	for _, s := range sources(t) {
		if strings.HasPrefix(s.pkg+"/", "internal/protocol/spec/") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, s.file, s.text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && revisionDate.MatchString(literal.Value) {
				t.Errorf("%s: %s, expected a name or a property of protocol/spec", set.Position(literal.Pos()),
					literal.Value)
			}
			return true
		})
	}
}

// tagReaders are the packages that read struct tags: one for each kind of struct.
var tagReaders = []string{"workbench/field.go", "document/field.go", "driver/schema.go"}

// The tags of the inputs of operations, and those of documents, are read in one place each.
func TestTagsAreReadInOnePlace(t *testing.T) {
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok || call.Sel.Name != "Get" && call.Sel.Name != "Lookup" {
				return true
			}
			if tag, ok := call.X.(*ast.SelectorExpr); ok && tag.Sel.Name == "Tag" {
				found[filepath.ToSlash(name)] = true
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range found {
		if !slices.Contains(tagReaders, name) {
			t.Errorf("%s reads struct tags, expected workbench.FieldsOf", name)
		}
	}
	for _, name := range tagReaders {
		if !found[name] {
			t.Errorf("%s reads no struct tags, expected the reader there", name)
		}
	}
}

// drawnPackages returns the packages in the picture of ARCHITECTURE.md in reading order. Columns are separated by three
// spaces or more; one that contains other words is a description.
func drawnPackages(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, picture, _ := strings.Cut(string(text), "```\n")
	picture, _, _ = strings.Cut(picture, "```")
	var all []string
	for line := range strings.Lines(picture) {
		for _, column := range regexp.MustCompile(` {3,}`).Split(strings.TrimSpace(line), -1) {
			var packages []string
			for _, name := range expandBraces(column) {
				packages = append(packages, packageOf(name))
			}
			if !slices.Contains(packages, "") {
				all = append(all, packages...)
			}
		}
	}
	return all
}

// expandBraces splits a column into names: "a/{b c} d ← e" is a/b, a/c, d and e.
func expandBraces(column string) []string {
	column = regexp.MustCompile(`(\S*)\{([^}]*)\}`).ReplaceAllStringFunc(column, func(group string) string {
		prefix, inner, _ := strings.Cut(strings.TrimSuffix(group, "}"), "{")
		return prefix + strings.Join(strings.Fields(inner), " "+prefix)
	})
	return strings.Fields(strings.ReplaceAll(column, "←", " "))
}

// packageOf returns the package that the picture calls by a short name, or "".
func packageOf(name string) string {
	for _, prefix := range []string{"internal/", "internal/protocol/", ""} {
		if layerOf(prefix+name) >= 0 {
			return prefix + name
		}
	}
	return ""
}

// The picture shows every package of the program once, and each of them above, or left of, those that it imports.
func TestPictureOfTheLayersIsTrue(t *testing.T) {
	drawn := drawnPackages(t)
	for _, layer := range layers {
		for _, pkg := range layer {
			n := 0
			for _, other := range drawn {
				if other == pkg {
					n++
				}
			}
			if n != 1 && pkg != "cmd/mcptest" && !slices.Contains(forTests, pkg) {
				t.Errorf("the picture in ARCHITECTURE.md shows %s %d times, expected once", pkg, n)
			}
		}
	}
	for _, im := range imports(t) {
		to := strings.TrimPrefix(im.path, module)
		above, below := slices.Index(drawn, im.from), slices.Index(drawn, to)
		if !im.test && above >= 0 && below >= 0 && above >= below {
			t.Errorf("%s imports %s, which the picture in ARCHITECTURE.md shows above or left of it", im.from, to)
		}
	}
}

// Each package that ARCHITECTURE.md names must exist, and it must name each package.
func TestArchitectureNamesWhatExists(t *testing.T) {
	plan, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, layer := range layers {
		for _, pkg := range layer {
			if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(pkg))); err != nil {
				t.Errorf("layers names %s, which does not exist", pkg)
			}
			if !strings.Contains(string(plan), strings.TrimPrefix(pkg, "internal/")) {
				t.Errorf("ARCHITECTURE.md does not name %s", pkg)
			}
		}
	}
	servers, err := filepath.Glob("../testservers/*")
	if err != nil || len(servers) == 0 {
		t.Fatalf("testservers: %v, %v", servers, err)
	}
	for _, server := range servers {
		if !strings.Contains(string(plan), "`testservers/"+filepath.Base(server)+"`") {
			t.Errorf("ARCHITECTURE.md does not name testservers/%s", filepath.Base(server))
		}
	}
	for _, line := range strings.Split(string(plan), "\n") {
		for _, word := range strings.FieldsFunc(line,
			func(r rune) bool { return strings.ContainsRune(" `(),;{}", r) }) {
			if !strings.HasPrefix(word, "internal/") && !strings.HasPrefix(word, "cmd/") &&
				!strings.HasPrefix(word, "testservers/") {
				continue
			}
			if _, err := os.Stat(filepath.Join("..", strings.TrimRight(word, "/.:"))); err != nil {
				t.Errorf("ARCHITECTURE.md names %s, which does not exist", word)
			}
		}
	}
}
