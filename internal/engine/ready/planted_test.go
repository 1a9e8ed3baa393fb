package ready

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"testing/fstest"
)

// TestPlanted has the defects for which real servers were rejected. Each is found, and the report says what to change.
func TestPlanted(t *testing.T) {
	digest := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return `"` + hex.EncodeToString(sum[:]) + `"`
	}
	for _, c := range []struct {
		name, rule, fix string
		change          func(fstest.MapFS)
		started         []Started
		packed          []string // the entries of a bundle
	}{
		{name: "description over 100 characters", rule: "REG-001", fix: "Change the value",
			change: server("/description", `"`+strings.Repeat("x", 101)+`"`)},
		{name: "missing ownership mark", rule: "REG-009", fix: "Add the mark", change: set("package.json", "/mcpName", "")},
		{name: "absent entry point", rule: "MCPB-003", fix: "Add the file, build it before packing", change: write("dist/index.js", "")},
		{name: "tools that differ from the manifest", rule: "MCPB-008", fix: "List the tools of the server",
			change: manifest("/tools", `[{"name": "forecast"}, {"name": "rain"}]`), started: startedOK(func(*Started) {})},
		{name: "wrong digest after a change of line ends", rule: "REG-016", fix: "Set fileSha256 to the digest of the file",
			change: func(files fstest.MapFS) {
				server("/packages/2/fileSha256", digest("packed\n"))(files)
				write("weather.mcpb", "packed\r\n")(files)
			}},
		{name: "path that leaves the folder", rule: "MCPB-003", fix: "correct the path", change: manifest("/server/entry_point", `"../index.js"`)},
		{name: "entry that leaves the bundle", rule: "MCPB-010", fix: "Pack the folder again",
			packed: []string{"manifest.json", "icon.png", "dist/index.js", "../../.bashrc"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := folder()
			opts := Options{Folder: files, Started: c.started, Places: []string{Registry, MCPB}}
			if c.change != nil {
				c.change(files)
			} else {
				opts.Folder, opts.Packed = packed(t, c.packed...), true
			}
			var todo []Todo
			for _, p := range runOn(t, opts).Places {
				todo = append(todo, p.Todo...)
			}
			if len(todo) != 1 || todo[0].Rule != c.rule || !strings.Contains(todo[0].Fix, c.fix) {
				t.Errorf("%+v, want %s with %q", todo, c.rule, c.fix)
			}
		})
	}
}

// TestDigest accepts the digest of the file in the folder.
func TestDigest(t *testing.T) {
	files := folder()
	sum := sha256.Sum256([]byte("packed\n"))
	server("/packages/2/fileSha256", `"`+hex.EncodeToString(sum[:])+`"`)(files)
	write("weather.mcpb", "packed\n")(files)
	if found := runOn(t, Options{Folder: files, Places: []string{Registry}}).Report.Findings(); len(found) > 0 {
		t.Errorf("found %v, want nothing", found)
	}
}
