package target

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Approvals remember which programs the user has agreed to have started without typing their names: in bulk, or for an
// assistant. What was approved is the program that the name resolves to, its arguments, its directory and the names of
// its variables; a change in any of these asks again.
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
	Program  string    `json:"program"`
	Dir      string    `json:"dir"`
	EnvNames []string  `json:"env_names"`
	Approved time.Time `json:"approved"`
}

// Approved reports whether the user approved exactly this. A target that starts nothing needs no approval.
func (a *Approvals) Approved(r *Resolved) (bool, error) {
	if len(r.Target.Command) == 0 {
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
	if !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		return false, fmt.Errorf("approval %s could have been written by others; remove it", file)
	}
	return true, nil
}

// Approve remembers that the user agreed. It is there for good, or not at all, when it returns.
func (a *Approvals) Approve(r *Resolved) error {
	if len(r.Target.Command) == 0 {
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

// Hash is what an approval of this target is known by: program, arguments, directory and names of variables.
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

// file is where the approval of this target lies, and what it would say.
func (a *Approvals) file(r *Resolved) (string, approval, error) {
	if len(r.Target.Command) == 0 {
		return "", approval{}, errors.New("the target starts no program")
	}
	program, err := a.Program(r)
	if err != nil {
		return "", approval{}, err
	}
	what := approval{Name: r.Target.String(), Program: program, Dir: a.workDir(r), EnvNames: r.EnvNames, Approved: time.Now().UTC().Truncate(time.Second)}
	if r.Target.Name == "" {
		what.Name = filepath.Base(program) // the arguments of a command may hold secrets
	}
	hash := hashOf([]string{program}, r.Target.Command, []string{what.Dir}, r.EnvNames)
	return filepath.Join(a.dir, hash+".json"), what, nil
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
