package target

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/redact"
)

// Approvals remember which servers the user has agreed to have started or reached without typing the command or the URL:
// in bulk, or for an assistant. What was approved is the file that defines the server, the program, its arguments, its
// directory, the names of its variables and the values of those that load code, or the URL and the names of its headers;
// and which variables of the user's it takes. A change in any of these asks again.
//
// Each approval is a file of its own, named by its hash, so that many processes can write at once.
type Approvals struct {
	sys System
	dir string
}

// NewApprovals keeps approvals in dir; an empty dir means the one in the user's configuration.
func NewApprovals(sys System, dir string) (*Approvals, error) {
	if dir == "" {
		settings, err := os.UserConfigDir()
		if err != nil {
			return nil, fmt.Errorf("find the place of approvals: %w", err)
		}
		dir = filepath.Join(settings, "mcptest", "approvals")
	}
	return &Approvals{sys: sys, dir: dir}, nil
}

// approval is what a file says to a person who looks into it. The hash alone counts.
type approval struct {
	Name     string    `json:"name"`
	File     string    `json:"file,omitempty"` // the config file that defines it
	Program  string    `json:"program,omitempty"`
	Dir      string    `json:"dir,omitempty"`
	EnvNames []string  `json:"env_names,omitempty"`
	URL      string    `json:"url,omitempty"`
	Headers  []string  `json:"headers,omitempty"` // names
	Takes    []string  `json:"takes,omitempty"`   // variables of the user's environment that it is given
	Approved time.Time `json:"approved"`
}

// Needed reports whether a target needs an approval: it starts a program, or a config file says which URL it is. A URL
// that was typed is its own approval.
func Needed(r *Resolved) bool {
	return len(r.Target.Command) > 0 || r.Target.URL != "" && r.Entry != nil
}

// Approved reports whether the user approved exactly this, or it needs no approval.
func (a *Approvals) Approved(r *Resolved) (bool, error) {
	if !Needed(r) {
		return true, nil
	}
	file, _, err := a.file(r)
	if err != nil {
		return false, err
	}
	info, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read approval: %w", err)
	}
	if writableByOthers(info) {
		return false, fmt.Errorf("approval %s could have been written by others; remove it", file)
	}
	return true, nil
}

// Approve remembers that the user agreed. It is there for good, or not at all, when it returns.
func (a *Approvals) Approve(r *Resolved) error {
	if !Needed(r) {
		return nil
	}
	file, what, err := a.file(r)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(what, "", "  ")
	if err != nil {
		return fmt.Errorf("write approval: %w", err)
	}
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return fmt.Errorf("write approval: %w", err)
	}
	if err := writeWhole(file, append(text, '\n')); err != nil {
		return fmt.Errorf("write approval: %w", err)
	}
	return nil
}

// Remember keeps a grant of the user: its ID, and what a person reads in the file.
func (a *Approvals) Remember(id, what string, lines []PermissionLine) error {
	text, err := json.MarshalIndent(struct {
		Granted  string           `json:"granted"`
		Lines    []PermissionLine `json:"lines"`
		Approved time.Time        `json:"approved"`
	}{what, lines, time.Now().UTC().Truncate(time.Second)}, "", "  ")
	if err == nil {
		err = os.MkdirAll(a.dir, 0o700)
	}
	if err == nil {
		err = writeWhole(a.grantFile(id), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write approval: %w", err)
	}
	return nil
}

// Remembered reports whether a grant was kept. A file that others could have written does not count.
func (a *Approvals) Remembered(id string) bool {
	info, err := os.Lstat(a.grantFile(id))
	return err == nil && !writableByOthers(info)
}

func (a *Approvals) grantFile(id string) string {
	return filepath.Join(a.dir, hashOf([]string{"grant"}, []string{id})+".json")
}

func writableByOthers(info fs.FileInfo) bool {
	return !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0
}

// Revoke forgets an approval, if there is one.
func (a *Approvals) Revoke(r *Resolved) error {
	file, _, err := a.file(r)
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove approval: %w", err)
	}
	return nil
}

// Hash identifies the approval of exactly this target.
func (a *Approvals) Hash(r *Resolved) (string, error) {
	file, _, err := a.file(r)
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(filepath.Base(file), ".json"), nil
}

// Program is the file that a command would run: found on the path, made absolute, links followed.
func (a *Approvals) Program(r *Resolved) (string, error) {
	name := r.Target.Command[0]
	if strings.ContainsRune(name, filepath.Separator) || strings.Contains(name, "/") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(a.workDir(r), name)
		}
	} else {
		found, err := a.sys.LookPath(name)
		if err != nil {
			return "", &Error{Message: fmt.Sprintf("program %q is not found on the path", name)}
		}
		if name = found; !filepath.IsAbs(name) {
			name = filepath.Join(a.sys.Dir, name)
		}
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", &Error{Message: fmt.Sprintf("program %s: %v", name, err)}
	}
	return real, nil
}

func (a *Approvals) workDir(r *Resolved) string {
	if r.Target.Dir != "" {
		return r.Target.Dir
	}
	return a.sys.Dir
}

// file is where the approval of this target is stored, and what it contains.
func (a *Approvals) file(r *Resolved) (string, approval, error) {
	if !Needed(r) {
		return "", approval{}, errors.New("the target needs no approval")
	}
	what := approval{Name: r.Target.Name, EnvNames: r.EnvNames, URL: redact.URL(r.Target.URL), Headers: HeaderNames(r), Takes: r.Takes,
		Approved: time.Now().UTC().Truncate(time.Second)}
	if r.Entry != nil {
		what.File = r.Entry.File
	}
	if len(r.Target.Command) > 0 {
		program, err := a.Program(r)
		if err != nil {
			return "", approval{}, err
		}
		what.Program, what.Dir = program, a.workDir(r)
		if r.Target.Name == "" {
			what.Name = filepath.Base(program) // the arguments of a command may contain secrets
		}
	}
	hash := hashOf([]string{what.File, what.Program, what.Dir, r.Target.URL}, r.Target.Command, r.EnvNames, codeVariables(r), what.Headers, r.Takes)
	return filepath.Join(a.dir, hash+".json"), what, nil
}

// HeaderNames are the names of the headers that a target is sent, sorted.
func HeaderNames(r *Resolved) []string { return slices.Sorted(maps.Keys(r.Target.Header)) }

// codeVariables are the variables by which a program loads code, with their values, if the entry or the user named them.
func codeVariables(r *Resolved) []string {
	var all []string
	for _, pair := range r.Target.Env {
		name, _, _ := strings.Cut(pair, "=")
		if LoadsCode(name) && slices.Contains(r.EnvNames, name) {
			all = append(all, pair)
		}
	}
	slices.Sort(all)
	return all
}

// hashOf is a hash over lists of texts in which no two different inputs look the same.
func hashOf(lists ...[]string) string {
	var buffer []byte
	for _, list := range lists {
		buffer = binary.AppendUvarint(buffer, uint64(len(list)))
		for _, text := range list {
			buffer = binary.AppendUvarint(buffer, uint64(len(text)))
			buffer = append(buffer, text...)
		}
	}
	sum := sha256.Sum256(buffer)
	return hex.EncodeToString(sum[:])
}

// writeWhole puts a file in place at once and durably; CreateTemp makes it readable by its owner alone.
func writeWhole(path string, text []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone after the rename
	_, err = temp.Write(text)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
