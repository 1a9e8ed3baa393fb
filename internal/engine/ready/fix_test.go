package ready

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// TestFix has faults that can be fixed without guessing, and others that cannot.
func TestFix(t *testing.T) {
	long := `"` + strings.Repeat("x", 101) + `"`
	both := func(changes ...func(fstest.MapFS)) func(fstest.MapFS) {
		return func(files fstest.MapFS) {
			for _, change := range changes {
				change(files)
			}
		}
	}
	onlyNPM := both(write("pyproject.toml", ""), server("/packages/1", ""))
	for _, c := range []struct {
		name   string
		change func(fstest.MapFS)
		files  string // that change
	}{
		{"nothing", both(), ""},
		{"schema", server("/$schema", `"`+schemaPrefix+`2025-10-17`+schemaSuffix+`"`), "server.json"},
		{"no schema", server("/$schema", ""), "server.json"},
		{"version", both(server("/version", `"1.1.0"`), server("/packages/0/version", `"1.1.0"`)), "server.json"},
		{"latest", server("/version", `"latest"`), "server.json"},
		{"npm mark", set("package.json", "/mcpName", ""), "package.json"},
		{"PyPI mark", write("README.md", "# Weather\n"), "README.md"},
		{"git URL", server("/repository/url", `"git+https://github.com/octocat/weather.git"`), "server.json"},
		{"name in the value", server("/packages/0/packageArguments/0/value", `"--units=metric"`), "server.json"},
		{"version in the identifier", server("/packages/0/identifier", `"weather-mcp@1.2.0"`), "server.json"},
		{"digest", write("weather.mcpb", "x"), "server.json"},
		{"version of an image", server("/packages/3/version", `"1.2.0"`), "server.json"},
		{"unknown member", server("/publisher", `"x"`), "server.json"},
		{"long description", both(onlyNPM, server("/description", long), set("package.json", "/description", `"Short"`)), "server.json"},
		{"unknown member of the manifest", manifest("/categories", `[]`), "manifest.json"},
		{"version with v", manifest("/version", `"v1.2.0"`), "manifest.json"},
		{"version of the manifest", manifest("/version", `"1.0.0"`), "manifest.json"},
		{"tools", manifest("/tools", `[{"name": "rain"}]`), "manifest.json"},

		{"misspelled member", server("/packages/0/enviromentVariables", `[]`), ""},
		{"long description without another", server("/description", long), ""},
		{"another name in package.json", server("/name", `"io.github.octocat/other-"`), ""},
		{"remote on localhost", server("/remotes/0/url", `"https://localhost/mcp"`), ""},
		{"entry point", write("dist/index.js", ""), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := folder()
			c.change(files)
			opts := Options{Folder: files, Started: startedOK(func(*Started) {})}
			fixed, err := Fix(opts)
			var names []string
			for _, f := range fixed {
				names = append(names, f.File)
				if f.Before != string(files[f.File].Data) || strings.HasSuffix(f.File, ".json") && !json.Valid([]byte(f.After)) {
					t.Errorf("%s: was %s, is %s", f.File, f.Before, f.After)
				}
				files[f.File] = &fstest.MapFile{Data: []byte(f.After)}
			}
			if got := strings.Join(names, " "); err != nil || got != c.files {
				t.Fatalf("changed %q (%v), want %q", got, err, c.files)
			}
			if found := runOn(t, opts).Report.Findings(); c.files != "" && slices.ContainsFunc(found, isAboutFiles) {
				t.Errorf("after the fix, found %v", found)
			}
			if again, _ := Fix(opts); len(again) > 0 {
				t.Errorf("a second time, it changes %v", again)
			}
		})
	}
}

// isAboutFiles reports whether a finding is not about the tools of the server in the test.
func isAboutFiles(f finding.Finding) bool { return f.Where.File != "" }
