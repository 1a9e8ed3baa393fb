package ready

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// goodServer is a server.json that the registry accepts.
const goodServer = `{
  "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  "name": "io.github.octocat/weather",
  "title": "Weather",
  "description": "Tells the weather",
  "version": "1.2.0",
  "websiteUrl": "https://example.com/weather",
  "icons": [{"src": "https://example.com/icon.png"}],
  "repository": {"url": "https://github.com/octocat/weather", "source": "github", "subfolder": "packages/weather"},
  "packages": [
    {"registryType": "npm", "identifier": "weather-mcp", "version": "1.2.0", "transport": {"type": "stdio"},
     "packageArguments": [
       {"type": "named", "name": "--units", "value": "metric"}, {"type": "positional", "valueHint": "place"}],
     "environmentVariables": [{"name": "WEATHER_KEY", "isSecret": true}]},
    {"registryType": "pypi", "identifier": "weather-mcp", "version": "1.2.0",
     "transport": {"type": "streamable-http", "url": "http://127.0.0.1:{--port}/mcp"},
     "packageArguments": [{"type": "named", "name": "--port", "value": "8080"}]},
    {"registryType": "mcpb", "identifier": "https://github.com/octocat/weather-mcp/releases/download/v1.2.0/weather.mcpb",
     "fileSha256": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "transport": {"type": "stdio"}},
    {"registryType": "oci", "identifier": "ghcr.io/octocat/weather:1.2.0", "transport": {"type": "stdio"}}
  ],
  "remotes": [{"type": "streamable-http", "url": "https://{tenant}.example.com/mcp",
    "variables": {"tenant": {"description": "your account"}}}]
}`

// goodManifest is a manifest.json that hosts accept.
const goodManifest = `{
  "manifest_version": "0.3",
  "name": "weather",
  "version": "1.2.0",
  "description": "Tells the weather",
  "author": {"name": "octocat"},
  "icon": "icon.png",
  "server": {"type": "node", "entry_point": "dist/index.js", "mcp_config": {"command": "node",
    "args": ["${__dirname}/dist/index.js", "${user_config.units}"], "env": {"PLACES": "${HOME}${/}places"}}},
  "user_config": {"units": {"type": "string", "title": "Units", "description": "Units", "default": "metric"}}
}`

// folder is a folder that is ready for both.
func folder() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{serverFile: goodServer, manifestFile: goodManifest, "icon.png": png,
		"dist/index.js":  "x",
		"package.json":   `{"name": "weather-mcp", "version": "1.2.0", "mcpName": "io.github.octocat/weather"}`,
		"pyproject.toml": "[project]\nname = \"weather-mcp\"\nversion = \"1.2.0\"\n",
		"README.md":      "# Weather\n<!-- mcp-name: io.github.octocat/weather -->\n",
		"ca.pem":         "-----BEGIN CERTIFICATE-----\n", ".env": "KEY=1\n", ".env.example": "KEY=\n"} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func TestReadyFolder(t *testing.T) {
	out := runOn(t, Options{Folder: folder()})
	if found := out.Report.Findings(); len(found) > 0 {
		t.Errorf("found %+v, want nothing", found)
	}
	for _, p := range out.Places[:2] {
		if !p.Ready || p.Skipped != "" {
			t.Errorf("%+v, want ready", p)
		}
	}
	for _, p := range out.Places[2:] {
		if p.Ready || p.Skipped == "" {
			t.Errorf("%+v of a folder, want skipped", p)
		}
	}
}

func runOn(t *testing.T, opts Options) *Outcome {
	t.Helper()
	out, err := Run(opts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// set returns a change of one member of a file; without a value it is removed.
func set(name, pointer, value string) func(fstest.MapFS) {
	return func(files fstest.MapFS) {
		edit := finding.Edit{Pointer: pointer}
		if value != "" {
			edit.Value = json.RawMessage(value)
		}
		changed, err := schema.Apply(files[name].Data, []finding.Edit{edit})
		if err != nil {
			panic(err)
		}
		files[name].Data = changed
	}
}

func server(pointer, value string) func(fstest.MapFS)   { return set(serverFile, pointer, value) }
func manifest(pointer, value string) func(fstest.MapFS) { return set(manifestFile, pointer, value) }

// write returns a change that writes a file; without text the file is removed.
func write(name, text string) func(fstest.MapFS) {
	return func(files fstest.MapFS) {
		if delete(files, name); text != "" {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
}

// TestFaults changes one thing of a folder that is ready: exactly the rule about it has findings.
func TestFaults(t *testing.T) {
	long := `"` + strings.Repeat("x", 101) + `"`
	for _, c := range []struct {
		rule, name string
		change     func(fstest.MapFS)
		message    string // a part of it
	}{
		{"REG-001", "long description", server("/description", long), "at most 100 characters, received 101"},
		{"REG-001", "no version", server("/version", ""), "missing required: version"},
		{"REG-001", "not JSON", write(serverFile, "{"), "not valid JSON"},
		{"REG-002", "older schema", server("/$schema", `"`+schemaPrefix+`2025-10-17`+schemaSuffix+`"`), "outdated"},
		{"REG-001", "unknown schema", server("/$schema", `"https://example.com/server.json"`), "not a schema of server.json"},
		{"REG-003", "a hyphen at the end", server("/name", `"io.github.octocat/weather-"`), "io.github.ACCOUNT/NAME"},
		{"REG-004", "latest", server("/version", `"latest"`), "latest"},
		{"REG-004", "range", server("/version", `"^1.2.0"`), "range"},
		{"REG-004", "wildcard", server("/version", `"1.x"`), "range"},
		{"REG-004", "two versions", server("/version", `"1.2 || 1.3"`), "range"},
		{"REG-005", "http website", server("/websiteUrl", `"http://example.com"`), "https"},
		{"REG-005", "http icon", server("/icons/0/src", `"http://example.com/i.png"`), "icon"},
		{"REG-005", "another host", server("/repository/url", `"https://example.com/octocat/weather"`), "GitHub or GitLab"},
		{"REG-005", "folder above", server("/repository/subfolder", `"../weather"`), "relative path"},
		{"REG-006", "value in the name", server("/packages/0/packageArguments/0/name", `"--units metric"`), "more than a name"},
		{"REG-006", "name in the value", server("/packages/0/packageArguments/0/value", `"--units metric"`), "repeats the name"},
		{"REG-007", "undeclared variable", server("/remotes/0/variables", ""), "{tenant} is not declared"},
		{"REG-007", "localhost", server("/remotes/0/url", `"https://localhost/mcp"`), "public https URL"},
		{"REG-007", "http", server("/remotes/0/url", `"http://example.com/mcp"`), "public https URL"},
		{"REG-008", "space", server("/packages/0/identifier", `"weather mcp"`), "space"},
		{"REG-008", "no checksum", server("/packages/2/fileSha256", ""), "fileSha256"},
		{"REG-008", "another host", server("/packages/2/identifier", `"https://example.com/weather.mcpb"`), "GitHub or GitLab"},
		{"REG-008", "image with a version", server("/packages/3/version", `"1.2.0"`), "image has no version"},
		{"REG-009", "npm", set("package.json", "/mcpName", ""), `"mcpName": "io.github.octocat/weather"`},
		{"REG-009", "npm of another server", set("package.json", "/mcpName", `"a.b/c"`), "mcpName"},
		{"REG-009", "PyPI", write("README.md", "# Weather\n"), "mcp-name: io.github.octocat/weather"},
		{"REG-009", "longer name", write("README.md", "mcp-name: io.github.octocat/weather-pro"), "mcp-name"},
		{"REG-009", "no space", write("README.md", "mcp-name:io.github.octocat/weather"), "mcp-name"},
		{"REG-010", "npm", server("/packages/0/version", `"1.3.0"`), "names version 1.3.0"},
		{"REG-011", "large", server("/_meta", `{"io.modelcontextprotocol.registry/publisher-provided":{"x":"`+
			strings.Repeat("x", 4096)+`"}}`), "at most 4096"},
		{"REG-001", "no schema", server("/$schema", ""), "$schema is missing"},
		{"REG-001", "empty identifier", server("/packages/3/identifier", `""`), "identifier is empty"},
		{"REG-001", "title of spaces", server("/title", `"  "`), "title consists of spaces"},
		{"REG-008", "another registry", server("/packages/0/registryBaseUrl", `"https://npm.example.com"`), "expected https://registry.npmjs.org"},
		{"REG-008", "no version", server("/packages/1/version", ""), "version of the pypi package is missing"},
		{"REG-008", "not a release", server("/packages/2/identifier", `"https://github.com/octocat/weather/raw/main/mcp.mcpb"`), "release file"},
		{"REG-008", "unknown type", server("/packages/0/registryType", `"yarn"`), "expected npm, pypi"},
		{"REG-012", "unknown member", server("/packages/0/enviromentVariables", `[]`), "did you mean environmentVariables?"},
		{"REG-012", "in _meta", server("/_meta", `{"com.example": {}}`), "com.example"},
		{"REG-017", "option", server("/packages/0/identifier", `"--registry=http://host.example"`), "not the name of an npm package"},
		{"REG-017", "path", server("/packages/0/identifier", `"../weather"`), "not the name of an npm package"},
		{"REG-017", "name with the version", server("/packages/0/identifier", `"weather-mcp@1.2.0"`), "not the name"},
		{"REG-017", "URL", server("/packages/1/identifier", `"git+https://host.example/weather"`), "package of pypi"},
		{"REG-017", "option of pip", server("/packages/1/identifier", `"-r"`), "package of pypi"},
		{"REG-017", "option of docker", server("/packages/3/identifier", `"--privileged"`), "not the name of an image"},
		{"REG-017", "version", func(files fstest.MapFS) {
			server("/packages/0/identifier", `"elsewhere"`)(files)
			server("/packages/0/version", `"1.2.0;--ignore-scripts"`)(files)
		}, "not a version of an npm package"},
		{"MCPB-001", "unknown member", manifest("/surprise", `1`), "surprise"},
		{"MCPB-001", "no author", manifest("/author", ""), "author"},
		{"MCPB-002", "version of the future", manifest("/manifest_version", `"1.0"`), `"1.0"`},
		{"MCPB-002", "no version", manifest("/manifest_version", ""), "expected one of"},
		{"MCPB-003", "no entry point", write("dist/index.js", ""), "dist/index.js"},
		{"MCPB-003", "no script", manifest("/server/mcp_config/args", `["${__dirname}/main.js"]`), `"main.js" is not in the bundle`},
		{"MCPB-003", "no icon", write("icon.png", ""), "icon.png"},
		{"MCPB-003", "icon of another format", write("icon.png", "GIF89a"), "not a PNG file"},
		{"MCPB-003", "path out of the folder", manifest("/icon", `"../icon.png"`), "leaves its folder"},
		{"MCPB-004", "undeclared setting", manifest("/user_config", ""), "${user_config.units}"},
		{"MCPB-004", "unknown placeholder", manifest("/server/mcp_config/env/PLACES", `"${TMP}"`), "${TMP}"},
		{"MCPB-005", "private key", write("certs/server.pem", "-----BEGIN PRIVATE KEY-----"), "certs/server.pem"},
		{"MCPB-005", "SSH key", write("id_ed25519", "x"), "id_ed25519"},
		{"MCPB-009", "npm", manifest("/version", `"1.3.0"`), "has version 1.2.0"},
		{"REG-016", "digest", write("weather.mcpb", "packed again"), "has the digest"},
		{"MCPB-006", "two numbers", manifest("/version", `"1.2"`), "semantic version"},
	} {
		t.Run(c.rule+" "+c.name, func(t *testing.T) {
			files := folder()
			c.change(files)
			found := runOn(t, Options{Folder: files}).Report.Findings()
			if len(found) != 1 || found[0].Rule != c.rule || !strings.Contains(found[0].Message, c.message) ||
				found[0].Where.File == "" || found[0].Where.Line == 0 {
				t.Errorf("found %+v, want one %s with %q and a line", found, c.rule, c.message)
			}
		})
	}
}

// TestPackedSecrets finds in a packed bundle what packing a folder omits.
func TestPackedSecrets(t *testing.T) {
	found := runOn(t, Options{Folder: folder(), Packed: true, Places: []string{MCPB}}).Report.Findings()
	if len(found) != 1 || found[0].Rule != "MCPB-005" || !strings.HasPrefix(found[0].Message, ".env is in") {
		t.Errorf("found %+v, want .env", found)
	}
	files := folder()
	write("keys/a.key", "PRIVATE KEY")(files)
	write(".mcpbignore", "# local\nkeys/\n")(files)
	if found := runOn(t, Options{Folder: files}).Report.Findings(); len(found) > 0 {
		t.Errorf("found %+v in a folder that .mcpbignore omits", found)
	}
}

func TestTools(t *testing.T) {
	good := `{"name": "a", "title": "A", "annotations": {"readOnlyHint": true, "destructiveHint": false, "openWorldHint": false}}`
	for _, c := range []struct {
		tool  string
		rules []string
	}{
		{good, nil},
		{strings.Replace(good, `"title": "A"`, `"title": " "`, 1), []string{"CLAUDE-001"}},
		{strings.Replace(good, `"a"`, `"`+strings.Repeat("a", 65)+`"`, 1), []string{"CLAUDE-003"}},
		{`{"name": "a", "title": "A", "annotations": {"destructiveHint": true}}`, []string{"CHATGPT-001"}},
		{`{"name": "a", "annotations": {"title": "A", "readOnlyHint": "yes"}}`, []string{"CLAUDE-002", "CHATGPT-001"}},
		{`{"name": "a"}`, []string{"CLAUDE-001", "CLAUDE-002", "CHATGPT-001"}},
	} {
		var rules []string
		for _, f := range runOn(t, Options{Tools: []json.RawMessage{json.RawMessage(c.tool)}}).Report.Findings() {
			rules = append(rules, f.Rule)
		}
		if !slices.Equal(rules, c.rules) {
			t.Errorf("%s: found %v, want %v", c.tool, rules, c.rules)
		}
	}
}

// TestNothingToCheck has a folder without any of the files.
func TestNothingToCheck(t *testing.T) {
	if _, err := Run(Options{Folder: fstest.MapFS{}}); err != ErrNothing {
		t.Errorf("got %v, want %v", err, ErrNothing)
	}
}

// Opening a named pipe waits for a writer, so only regular files are opened.
func TestNotARegularFile(t *testing.T) {
	files := fstest.MapFS{"server.json": {Mode: fs.ModeNamedPipe}}
	if _, err := Run(Options{Folder: files}); err == nil || err.Error() != "server.json is not a regular file" {
		t.Errorf("got %v, expected an error about the kind of file", err)
	}
}
