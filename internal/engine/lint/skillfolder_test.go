package lint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const goodSkill = "---\nname: pdf-forms\ndescription: Fills in forms\n---\n# Forms\n"

// TestSkillFolders has folders with one fault each; findings name SKILL.md and the line of the field.
func TestSkillFolders(t *testing.T) {
	large := &fstest.MapFile{Data: make([]byte, 17<<20)}
	for _, c := range []struct {
		name  string
		files fstest.MapFS
		want  string
	}{
		{"good", skillFiles(goodSkill), ""},
		{"another name", skillFiles(strings.Replace(goodSkill, "pdf-forms", "pdf", 1)),
			`SKILL-103 skills/pdf-forms/SKILL.md:2 name is "pdf" and the directory is "pdf-forms", expected the same`},
		{"no description", skillFiles("---\nname: pdf-forms\n---\n"),
			`SKILL-102 skills/pdf-forms/SKILL.md:1 description in frontmatter is absent, expected a text`},
		{"no frontmatter", skillFiles("# Forms\n"),
			"SKILL-106 skills/pdf-forms/SKILL.md:1 SKILL.md does not start with ---, expected YAML with name and description"},
		{"keys that JSON does not have", skillFiles("---\nname: pdf-forms\ndescription: x\nmore: {1: {[2]: 3}}\n---\n"), "SKILL-106"},
		{"shell", skillFiles(strings.Replace(goodSkill, "---\n# ", "allowed-tools: Bash(*)\n---\n# ", 1)),
			`SKILL-111 skills/pdf-forms/SKILL.md:4 the skill declares allowed-tools: "Bash(*)"`},
		{"large", fstest.MapFS{"pdf-forms/SKILL.md": {Data: []byte(goodSkill)}, "pdf-forms/a.bin": large},
			"SKILL-109 skills/pdf-forms/SKILL.md:1 the files of the skill have 17825852 bytes, expected at most 16777216"},
		{"same name", fstest.MapFS{"pdf-forms/SKILL.md": {Data: []byte(goodSkill)}, "skills/pdf-forms/SKILL.md": {Data: []byte(goodSkill)}},
			`SKILL-109 skills/skills/pdf-forms/SKILL.md:2 two skills have the name "pdf-forms", expected different names`},
	} {
		t.Run(c.name, func(t *testing.T) {
			catalog, err := ReadSkills(c.files, "skills", "skills")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range Run(context.Background(), catalog, nil).Findings() {
				got = append(got, fmt.Sprintf("%s %s:%d %s", f.Rule, f.Where.File, f.Where.Line, f.Message))
			}
			if text := strings.Join(got, "\n"); !strings.HasPrefix(text, c.want) || c.want == "" && text != "" || len(got) > 1 {
				t.Errorf("(-want +got):\n%s", cmp.Diff(c.want, text))
			}
		})
	}
}

func skillFiles(text string) fstest.MapFS {
	return fstest.MapFS{"pdf-forms/SKILL.md": {Data: []byte(text)}, "pdf-forms/references/a b.md": {Data: []byte("x")}}
}

// TestSkillItself reads a folder that is a skill, and refuses one without skills.
func TestSkillItself(t *testing.T) {
	folder := fstest.MapFS{"SKILL.md": {Data: []byte(goodSkill)}, "scripts/fill.py": {}}
	c, err := ReadSkills(folder, "here", "pdf-forms")
	if err != nil || len(c.Entries) != 1 {
		t.Fatalf("%v, %v; want one skill", c, err)
	}
	if found := Run(context.Background(), c, nil).Findings(); len(found) > 0 {
		t.Errorf("found %v", found)
	}
	if _, err := ReadSkills(fstest.MapFS{"README.md": {}}, "here", "here"); !errors.Is(err, ErrNoSkills) {
		t.Errorf("got %v, want %v", err, ErrNoSkills)
	}
	pipe := fstest.MapFS{"SKILL.md": {Mode: fs.ModeNamedPipe}}
	if _, err := ReadSkills(pipe, "here", "here"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got %v, want that a pipe is not read", err)
	}
}

// TestSkillLinks finds a link out of the folder, and does not read what it leads to.
func TestSkillLinks(t *testing.T) {
	dir := t.TempDir()
	skill := filepath.Join(dir, "pdf-forms")
	if err := os.Mkdir(skill, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{filepath.Join(dir, "secret"): "x", filepath.Join(skill, "SKILL.md"): goodSkill} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join("..", "secret"), filepath.Join(skill, "notes.md")); err != nil {
		t.Skipf("skipped: no links here: %v", err)
	}
	root, err := os.OpenRoot(skill)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	c, err := ReadSkills(root.FS(), "pdf-forms", "pdf-forms")
	if err != nil {
		t.Fatal(err)
	}
	found := Run(context.Background(), c, nil).Findings()
	if len(found) != 1 || found[0].Rule != "SKILL-104" || !strings.Contains(found[0].Message, `"notes.md" is a link out of`) {
		t.Errorf("found %v, want the link", found)
	}
	if text := string(c.Entries[0].Raw); strings.Contains(text, "notes.md") {
		t.Errorf("the file behind the link is listed: %s", text)
	}
}
