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

	"github.com/mcptest-dev/mcptest/internal/files"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// Approvals store which servers the user allowed to be started or reached without typing the command or the URL: in
// bulk, or for an assistant. An approval covers the file that defines the server, the program, its arguments, its
// directory, the names of its variables and the values of those that load code, or the URL and the names of its
// headers; and which environment variables of the user it uses. A change to any of these requires a new approval.
//
// Each approval is a separate file, named by its hash, so that many processes can write concurrently.
type Approvals struct {
	sys System
	dir string
}

// NewApprovals stores approvals in dir; an empty dir means the one in the user's configuration.
func NewApprovals(sys System, dir string) (*Approvals, error) {
	if dir == "" {
		settings, err := os.UserConfigDir()
		if err != nil {
			return nil, fmt.Errorf("find the approvals directory: %w", err)
		}
		dir = filepath.Join(settings, "mcptest", "approvals")
	}
	return &Approvals{sys: sys, dir: dir}, nil
}

// approval is the content of a file, for users who read it. Only the hash is checked.
type approval struct {
	Name     string    `json:"name"`
	File     string    `json:"file,omitempty"` // the config file that defines it
	Program  string    `json:"program,omitempty"`
	Dir      string    `json:"dir,omitempty"`
	EnvNames []string  `json:"env_names,omitempty"`
	URL      string    `json:"url,omitempty"`
	Headers  []string  `json:"headers,omitempty"` // names
	Takes    []string  `json:"takes,omitempty"`   // environment variables of the user that it gets
	Approved time.Time `json:"approved"`
}

// Needed reports whether a target needs an approval: it starts a program, or its URL comes from a config file. A URL
// that the user typed needs no approval.
func Needed(r *Resolved) bool {
	return len(r.Target.Command) > 0 || r.Target.URL != "" && r.Entry != nil
}

// Approved reports whether the user approved exactly this target, or it needs no approval.
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
	if mayBeForged(info) {
		return false, fmt.Errorf("approval %s may have been written by another user; delete it", file)
	}
	return true, nil
}

// Approve stores that the user agreed. When it returns, the approval is stored durably or not at all.
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
	if err := files.Replace(file, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write approval: %w", err)
	}
	return nil
}

// Remember stores a grant of the user: its ID, and a description for readers of the file.
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
		err = files.Replace(a.grantFile(id), append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("write approval: %w", err)
	}
	return nil
}

// Remembered reports whether a grant was stored. A file that another user may have written does not count.
func (a *Approvals) Remembered(id string) bool {
	info, err := os.Lstat(a.grantFile(id))
	return err == nil && !mayBeForged(info)
}

func (a *Approvals) grantFile(id string) string {
	return filepath.Join(a.dir, hashOf([]string{"grant"}, []string{id})+".json")
}

// mayBeForged reports whether another user can have written the file.
func mayBeForged(info fs.FileInfo) bool {
	return !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 ||
		!files.Trusted(info)
}

// Revoke deletes an approval, if there is one.
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

// Program returns the file that a command would run: looked up in PATH, made absolute, with links resolved.
func (a *Approvals) Program(r *Resolved) (string, error) {
	name := r.Target.Command[0]
	if strings.ContainsRune(name, filepath.Separator) || strings.Contains(name, "/") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(a.workDir(r), name)
		}
	} else {
		found, err := a.sys.LookPath(name)
		if err != nil {
			return "", &Error{Message: fmt.Sprintf("program %q not found in PATH", declaredProgram(r))}
		}
		if name = found; !filepath.IsAbs(name) {
			name = filepath.Join(a.sys.Dir, name)
		}
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", &Error{Message: fmt.Sprintf("program %q not found", declaredProgram(r))}
	}
	return real, nil
}

// declaredProgram is the program as the config file names it, without the values of variables.
func declaredProgram(r *Resolved) string {
	if r.Entry != nil {
		return r.Entry.Command
	}
	return r.Target.Command[0]
}

func (a *Approvals) workDir(r *Resolved) string {
	if r.Target.Dir != "" {
		return r.Target.Dir
	}
	return a.sys.Dir
}

// file returns where the approval of this target is stored, and its content.
func (a *Approvals) file(r *Resolved) (string, approval, error) {
	if !Needed(r) {
		return "", approval{}, errors.New("the target needs no approval")
	}
	what := approval{Name: r.Target.Name, EnvNames: r.EnvNames, URL: redact.URL(r.Target.URL), Headers: HeaderNames(r),
		Takes:    r.Takes,
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
	hash := hashOf([]string{what.File, what.Program, what.Dir, r.Target.URL}, r.Target.Command, r.EnvNames,
		codeVariables(r), what.Headers, r.Takes)
	return filepath.Join(a.dir, hash+".json"), what, nil
}

// HeaderNames returns the sorted names of the headers that are sent to a target.
func HeaderNames(r *Resolved) []string { return slices.Sorted(maps.Keys(r.Target.Header)) }

// codeVariables returns the variables that make a program load code, with their values, if the entry or the user named
// them.
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

// GrantID identifies a grant for exactly these texts.
func GrantID(kind string, texts ...string) string { return kind + " " + hashOf(texts) }

// hashOf returns an unambiguous hash over lists of strings.
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
