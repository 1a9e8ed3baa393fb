// Package hosts starts real hosts from npm with a scripted model. The hosts are large: they run only with MCPTEST_FULL.
// Otherwise player repeats the requests that they sent in a recorded run.
package hosts

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// pins are the files that pin every package, relative to this folder.
var pins = []string{"npm/package.json", "npm/package-lock.json"}

// here is this folder, relative to itself (in tests) or to the root of the repository.
func here() string {
	if _, err := os.Stat("npm"); err == nil {
		return "."
	}
	return filepath.Join("testservers", "hosts")
}

// Dir returns the folder in the user's cache with the pinned hosts, and whether they are installed.
func Dir() (dir string, installed bool, err error) {
	hash := sha256.New()
	for _, name := range pins {
		text, err := os.ReadFile(filepath.Join(here(), name))
		if err != nil {
			return "", false, err
		}
		hash.Write(text)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", false, err
	}
	dir = filepath.Join(cache, "mcptest-ci", "hosts-"+hex.EncodeToString(hash.Sum(nil)[:6]))
	_, err = os.Stat(filepath.Join(dir, complete))
	return dir, err == nil, nil
}

const complete = "complete" // the file that an installation ends with

// Install installs the pinned hosts unless they are installed. Two of them need the script of their package, which puts
// the executable in its place.
func Install(log io.Writer) error {
	dir, installed, err := Dir()
	if err != nil {
		return err
	}
	if installed {
		fmt.Fprintf(log, "hosts: installed in %s\n", dir)
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range pins {
		text, err := os.ReadFile(filepath.Join(here(), name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o644); err != nil {
			return err
		}
	}
	// npm ci rejects the lock file: optional packages for other platforms are not in the registry
	npm := exec.Command("npm", "install", "--no-save", "--no-audit", "--no-fund")
	npm.Dir, npm.Stdout, npm.Stderr = dir, log, log
	if err := npm.Run(); err != nil {
		return fmt.Errorf("npm install: %w", err)
	}
	return os.WriteFile(filepath.Join(dir, complete), nil, 0o644)
}
