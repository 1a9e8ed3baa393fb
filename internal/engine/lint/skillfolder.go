package lint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
)

// Limits of folders with skills that are read.
const (
	maxSkillFolders = 1000
	maxSkillFiles   = 10_000
	maxSkillFile    = 4 << 20 // of a SKILL.md
)

// noDigest stands for the digest of a file in a folder: the server will compute it.
const noDigest = "sha256:0000000000000000000000000000000000000000000000000000000000000000"

// ErrNoSkills is returned for a folder without a SKILL.md.
var ErrNoSkills = errors.New("no SKILL.md in the folder or in the folders in it")

// ReadSkills reads the skills of a folder: the folder itself, or the folders in it, or in its folder skills. name is
// the path of the folder, for messages; base is the name of the folder, which is that of a skill in it.
func ReadSkills(folder fs.FS, name, base string) (*Catalog, error) {
	c := &Catalog{Name: name}
	for _, place := range []string{".", "skills"} {
		if _, err := fs.Stat(folder, path.Join(place, skills.File)); err == nil && place == "." {
			return c, c.addSkill(folder, place, base)
		}
		inside, _ := fs.ReadDir(folder, place)
		for _, entry := range inside[:min(len(inside), maxSkillFolders)] {
			at := path.Join(place, entry.Name())
			if _, err := fs.Stat(folder, path.Join(at, skills.File)); err != nil || !entry.IsDir() {
				continue
			}
			if err := c.addSkill(folder, at, entry.Name()); err != nil {
				return nil, err
			}
		}
	}
	if len(c.Entries) == 0 {
		return nil, ErrNoSkills
	}
	return c, nil
}

// addSkill adds the entry that a server would have for a folder, and the content of its SKILL.md.
func (c *Catalog) addSkill(folder fs.FS, at, name string) error {
	file := path.Join(at, skills.File)
	text, err := readText(folder, file)
	if err != nil {
		return err
	}
	root := "skill://" + url.PathEscape(name)
	shown := path.Join(c.Name, file)
	skill := &Entry{Kind: SkillEntry, URI: root + "/" + skills.File, Index: len(c.Entries), file: shown, text: text}
	described, err := skills.Frontmatter(text)
	if err != nil {
		skill.Broken = err.Error()
	}
	files, err := skill.files(folder, at, root)
	if err != nil {
		return err
	}
	raw := map[string]any{"uri": skill.URI, "frontmatter": described, "resources": files}
	if skill.Raw, err = json.Marshal(raw); err != nil { // YAML has keys that JSON does not have
		skill.Broken = "the frontmatter of SKILL.md has keys that are not text"
		raw["frontmatter"] = map[string]any{}
		skill.Raw, _ = json.Marshal(raw)
	}
	c.Entries = append(c.Entries, skill)
	return nil
}

// files lists the files of a skill as a server does. Links out of the folder are noted, and not followed.
func (e *Entry) files(folder fs.FS, at, root string) ([]map[string]any, error) {
	all := []map[string]any{}
	err := fs.WalkDir(folder, at, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || len(all) > maxSkillFiles {
			return fs.SkipDir
		}
		rest := strings.TrimPrefix(strings.TrimPrefix(name, at), "/")
		if at == "." {
			rest = name
		}
		info, err := fs.Stat(folder, name)
		switch {
		case err != nil && entry.Type()&fs.ModeSymlink != 0:
			e.Links = append(e.Links, rest)
		case err != nil || entry.IsDir() || !info.Mode().IsRegular():
		default:
			var parts []string
			for part := range strings.SplitSeq(rest, "/") {
				parts = append(parts, url.PathEscape(part))
			}
			all = append(all, map[string]any{"uri": root + "/" + strings.Join(parts, "/"), "size": info.Size(),
				"digest": noDigest})
		}
		return nil
	})
	slices.Sort(e.Links)
	return all, err
}

// readText reads a regular file of limited size.
func readText(folder fs.FS, name string) (string, error) {
	if info, err := fs.Stat(folder, name); err != nil {
		return "", err
	} else if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", name)
	}
	f, err := folder.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSkillFile+1))
	if err == nil && len(data) > maxSkillFile {
		err = fmt.Errorf("%s is larger than %d MB", name, maxSkillFile>>20)
	}
	return string(data), err
}
