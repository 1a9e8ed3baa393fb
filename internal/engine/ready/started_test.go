package ready

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// startedOK is a server that is what the manifest of folder declares.
func startedOK(change func(*Started)) []Started {
	s := Started{Launch: Launch{Place: MCPB, File: manifestFile, Pointer: "/server", What: "the bundle"}, Name: "weather",
		Reports: "1.2.0", Tools: []json.RawMessage{json.RawMessage(`{"name": "forecast"}`)}}
	change(&s)
	return []Started{s}
}

// TestStarted has servers that differ from what the files declare in one thing.
func TestStarted(t *testing.T) {
	tools := manifest("/tools", `[{"name": "forecast"}]`)
	atPackage := func(s *Started) {
		s.Place, s.File, s.Pointer, s.Package = Registry, serverFile, "/packages/0", "weather-mcp"
	}
	for _, c := range []struct {
		name   string
		change func(fstest.MapFS)
		server func(*Started)
		want   string // the rule and a part of the message; empty for no finding
	}{
		{"same", tools, func(*Started) {}, ""},
		{"no list of tools", manifest("/keywords", "[]"), func(*Started) {}, ""},
		{"missing tool", manifest("/tools", `[]`), func(*Started) {}, `MCPB-008 lacks tools of the server: "forecast"`},
		{"another tool", manifest("/tools", `[{"name": "forecast"}, {"name": "rain"}]`), func(*Started) {}, `MCPB-008 the server has no tool "rain"`},
		{"generated", func(f fstest.MapFS) { manifest("/tools", `[]`)(f); manifest("/tools_generated", `true`)(f) }, func(*Started) {}, ""},
		{"version", tools, func(s *Started) { s.Reports = "1.1.0" }, "MCPB-009 reports version 1.1.0"},
		{"name", tools, func(s *Started) { s.Name = "climate" }, `MCPB-011 reports the name "climate"`},
		{"name with server", tools, func(s *Started) { s.Name = "Weather-MCP-Server" }, ""},
		{"does not start", tools, func(s *Started) { s.Problem = "exited with status 1" }, "MCPB-007 the bundle does not start: exited"},
		{"variable", tools, func(s *Started) { s.Problem, s.Variable = "x", "WEATHER_KEY" }, "MCPB-007 requires the environment variable WEATHER_KEY"},
		{"not startable", tools, func(s *Started) { s.Cannot = "no node" }, ""},
		{"package", tools, func(s *Started) { atPackage(s); s.Problem = "no program" }, "REG-013 does not start: no program"},
		{"declared variable", tools, func(s *Started) { atPackage(s); s.Problem, s.Variable = "x", "WEATHER_KEY" }, "REG-013 does not start"},
		{"undeclared variable", tools, func(s *Started) { atPackage(s); s.Problem, s.Variable = "x", "PLACE_KEY" }, "REG-014 PLACE_KEY, which is not declared"},
		{"version of the package", tools, func(s *Started) { atPackage(s); s.Reports = "2" }, "REG-010 reports version 2"},
		{"name of the package", tools, func(s *Started) { atPackage(s); s.Name = "climate" }, "REG-015 climate"},
		{"published without the mark", tools, func(s *Started) {
			atPackage(s)
			s.Kind, s.Owns = "npm", func(string) bool { return false }
		}, `REG-009 the published npm package weather-mcp lacks "mcpName"`},
		{"remote with authorization", tools, func(s *Started) {
			atPackage(s)
			s.Pointer, s.Problem, s.NeedsHeader = "/remotes/0", "HTTP 401", true
		}, "REG-014 declares no header"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := folder()
			c.change(files)
			found := runOn(t, Options{Folder: files, Places: []string{Registry, MCPB}, Started: startedOK(c.server)}).Report.Findings()
			rule, message, _ := strings.Cut(c.want, " ")
			if c.want == "" && len(found) > 0 || c.want != "" && (len(found) != 1 || found[0].Rule != rule ||
				!strings.Contains(found[0].Message, message)) {
				t.Errorf("found %+v, want %q", found, c.want)
			}
		})
	}
}

// TestStartedTools applies the requirements of directories to the tools of a server that was started.
func TestStartedTools(t *testing.T) {
	out := runOn(t, Options{Folder: folder(), Places: []string{Claude}, Started: startedOK(func(*Started) {})})
	if p := out.Places[0]; p.Ready || p.Skipped != "" || p.Errors != 2 || len(p.Todo) != 2 || p.Todo[0].Fix != "Set title, or annotations.title." {
		t.Errorf("%+v, want two errors with what to do", p)
	}
	out = runOn(t, Options{Folder: folder(), Places: []string{MCPB}, Started: startedOK(func(s *Started) { s.Cannot = "no node" })})
	if p := out.Places[0]; !slices.Equal(p.NotStarted, []string{"the bundle: no node"}) {
		t.Errorf("%+v, want what was not started", p)
	}
}

func TestLaunches(t *testing.T) {
	files := folder()
	home := Home{Dir: "/b", User: "/home/me", Values: map[string]string{"place": "Bern", "WEATHER_KEY": "k"}}
	all, err := Launches(Options{Folder: files}, home)
	if err != nil || len(all) != 6 {
		t.Fatalf("%d launches, %v; want the bundle, four packages and a remote", len(all), err)
	}
	bundle, npm := all[0], all[1]
	if want := []string{"node", "/b/dist/index.js", "metric"}; !slices.Equal(bundle.Command, want) || bundle.Cannot != "" {
		t.Errorf("the command is %q (%s), want %q", bundle.Command, bundle.Cannot, want)
	}
	if want := "PLACES=/home/me" + string(filepath.Separator) + "places"; !slices.Equal(bundle.Env, []string{want}) {
		t.Errorf("the environment is %q, want %q", bundle.Env, want)
	}
	if want := []string{"--units", "metric", "Bern"}; !slices.Equal(npm.Args, want) || npm.Folder != "." || npm.Cannot != "" ||
		!slices.Equal(npm.Env, []string{"WEATHER_KEY=k"}) {
		t.Errorf("%+v, want the package of this folder with %q", npm, want)
	}
	if pypi := all[2]; pypi.URL != "http://127.0.0.1:8080/mcp" || pypi.Cannot != "" || !slices.Equal(pypi.Args, []string{"--port", "8080"}) {
		t.Errorf("%+v, want the URL with the port of the arguments", pypi)
	}
	server("/packages/0/environmentVariables/0/isRequired", "true")(files)
	manifest("/user_config/units/default", "")(files)
	manifest("/user_config/units/required", "true")(files)
	all, _ = Launches(Options{Folder: files}, Home{})
	for i, want := range []string{"--set units=VALUE", "--env WEATHER_KEY=VALUE", "", "only packages of npm", "",
		"--set tenant=VALUE"} {
		if !strings.Contains(all[i].Cannot, want) || want == "" && all[i].Cannot != "" {
			t.Errorf("%s: cannot is %q, want %q", all[i].What, all[i].Cannot, want)
		}
	}
}

// TestLaunchesOfNames starts no package whose name a package manager would take for something else.
func TestLaunchesOfNames(t *testing.T) {
	for _, c := range []struct {
		member, value string
		starts        bool
	}{
		{"identifier", `"@octocat/weather"`, true}, {"identifier", `"--registry=http://host.example"`, false},
		{"identifier", `"../../weather"`, false}, {"identifier", `"@octocat/../../weather"`, false},
		{"identifier", `"git+https://host.example/x"`, false}, {"identifier", `"/etc"`, false}, {"identifier", `""`, false},
		{"version", `"1.2.0-rc.1"`, true}, {"version", `"1 --ignore-scripts"`, false}, {"version", `"https://host.example/x.tgz"`, false},
	} {
		files := folder()
		server("/packages/0/identifier", `"elsewhere"`)(files) // not that of the folder
		server("/packages/0/"+c.member, c.value)(files)
		all, err := Launches(Options{Folder: files}, Home{Values: map[string]string{"place": "Bern", "WEATHER_KEY": "k"}})
		if err != nil || len(all) < 2 {
			t.Fatalf("%d launches, %v", len(all), err)
		}
		if starts := all[1].Cannot == ""; starts != c.starts {
			t.Errorf("%s %s: starts %v (%s), want %v", c.member, c.value, starts, all[1].Cannot, c.starts)
		}
	}
}

// packed returns a bundle with entries, by name; a name that begins with -> is a link.
func packed(t *testing.T, entries ...string) *zip.Reader {
	t.Helper()
	var data bytes.Buffer
	w := zip.NewWriter(&data)
	for _, name := range entries {
		header := &zip.FileHeader{Name: strings.TrimPrefix(name, "->")}
		header.SetMode(0o755)
		if strings.HasPrefix(name, "->") {
			header.SetMode(fs.ModeSymlink | 0o777)
		}
		f, err := w.CreateHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		text := goodManifest
		if header.Name == "icon.png" {
			text = png
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(data.Bytes()), int64(data.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestUnpack writes a good bundle, and nothing of a bundle with an entry that leaves its folder.
func TestUnpack(t *testing.T) {
	good := []string{"manifest.json", "icon.png", "dist/index.js"}
	for _, c := range []struct{ entry, want string }{
		{"", ""}, {"../outside", "leaves the folder"}, {"/etc/outside", "leaves the folder"}, {`..\outside`, "not portable"},
		{"c:/outside", "not portable"}, {"dist/../../outside", "leaves the folder"}, {"->link", "is a link"},
		{"manifest.json", "twice"}, {"MANIFEST.json", "case"},
	} {
		t.Run(c.entry, func(t *testing.T) {
			entries := good
			if c.entry != "" {
				entries = append([]string{c.entry}, good...)
			}
			bundle := packed(t, entries...)
			parent := t.TempDir()
			dir := filepath.Join(parent, "bundle")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			err := Unpack(bundle, dir)
			found := runOn(t, Options{Folder: bundle, Packed: true, Places: []string{MCPB}}).Report.Findings()
			left, _ := filepath.Glob(filepath.Join(parent, "*"))
			written, _ := filepath.Glob(filepath.Join(dir, "*"))
			switch {
			case len(left) != 1:
				t.Errorf("something was written beside the folder: %v", left)
			case c.want == "" && (err != nil || len(found) > 0 || len(written) != 3):
				t.Errorf("%v, found %v, wrote %v; want a folder", err, found, written)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || len(written) != 0 || len(found) != 1 ||
				found[0].Rule != "MCPB-010" || !strings.Contains(found[0].Message, c.want)):
				t.Errorf("%v, found %v, wrote %v; want %q and nothing written", err, found, written, c.want)
			}
		})
	}
}
