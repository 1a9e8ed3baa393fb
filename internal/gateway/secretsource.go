package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/accounts"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A secretSource is where a secret is read from when the config is read. Secrets are not written into the config.
type secretSource struct {
	File    string   `json:"file"`    // a file with the secret, relative to the config file
	Env     string   `json:"env"`     // an environment variable of the gateway
	Command []string `json:"command"` // a command that prints the secret, and its arguments (no shell)

	value string
	key   *auth.Key
}

// Limits of a secret.
const (
	maxSecret      = 64 << 10
	commandTimeout = 10 * time.Second
)

// read reads the secret.
func (s *secretSource) read(w *workbench.Workbench, config string) error {
	given := 0
	for _, one := range []bool{s.File != "", s.Env != "", len(s.Command) > 0} {
		if one {
			given++
		}
	}
	if given != 1 {
		return errors.New("expected exactly one of file, env and command")
	}
	text, err := s.text(w, config)
	if err != nil {
		return err
	}
	if s.value = strings.TrimSpace(text); s.value == "" || len(s.value) > maxSecret {
		return fmt.Errorf("the secret is empty or longer than %d bytes", maxSecret)
	}
	w.Secrets.Add(s.value)
	return nil
}

func (s *secretSource) text(w *workbench.Workbench, config string) (string, error) {
	dir := filepath.Dir(config)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(w.System.Dir, dir)
	}
	switch {
	case s.File != "":
		file := s.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		raw, err := w.ReadFile(file)
		return string(raw), err
	case s.Env != "":
		value, set := w.Variable(s.Env)
		if !set {
			return "", fmt.Errorf("environment variable %s is not set", s.Env)
		}
		return value, nil
	}
	return runSecret(s.Command, dir)
}

// runSecret runs a command and returns what it prints. Its output is not part of an error: it may be a secret.
func runSecret(command []string, dir string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), commandTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	out := &boundedBuffer{}
	cmd.Dir, cmd.Stdout, cmd.WaitDelay = dir, out, time.Second
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("command %q took longer than %v", command[0], commandTimeout)
	case err != nil:
		return "", fmt.Errorf("command %q: %w", command[0], err)
	}
	return out.String(), nil
}

// A boundedBuffer keeps the beginning of what is written to it.
type boundedBuffer struct{ bytes.Buffer }

// Write never fails, so that the command can finish.
func (b *boundedBuffer) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), max(0, maxSecret+1-b.Len()))])
	return len(p), nil
}

// readSecrets reads all secrets of the settings.
func (s gatewaySettings) readSecrets(w *workbench.Workbench, file string) error {
	wrong := func(where string, err error) error {
		return &workbench.UsageError{Message: fmt.Sprintf("%s: gateway: %s (%v)", file, where, err),
			Hint: `use {"file": "PATH"}, {"env": "NAME"} or {"command": ["PROGRAM", "ARGUMENT"]}`}
	}
	for i := range s.Accounts.Keys {
		key := &s.Accounts.Keys[i]
		err := key.read(w, file)
		if err == nil {
			_, err = accounts.ParseKey(key.value)
		}
		if err != nil {
			return wrong(fmt.Sprintf("accounts: cannot use key %d", i+1), err)
		}
	}
	if s.Embeddings != nil && s.Embeddings.Key != nil {
		if err := s.Embeddings.Key.read(w, file); err != nil {
			return wrong("embeddings: cannot read key", err)
		}
	}
	if in := s.Accounts.SignIn; in != nil {
		if in.ClientID == "" || s.JWT == nil {
			return &workbench.UsageError{Message: file + ": gateway: accounts: sign_in requires client_id, and jwt under gateway"}
		}
		if in.ClientSecret != nil {
			if err := in.ClientSecret.read(w, file); err != nil {
				return wrong("accounts: sign_in: cannot read client_secret", err)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Servers)) {
		o := s.Servers[name].OAuth
		if o == nil {
			continue
		}
		if o.ClientSecret != nil {
			if err := o.ClientSecret.read(w, file); err != nil {
				return wrong("servers: "+name+": oauth: cannot read client_secret", err)
			}
		}
		if o.ClientKey != nil {
			err := o.ClientKey.read(w, file)
			if err == nil {
				o.ClientKey.key, err = auth.ParseKey([]byte(o.ClientKey.value))
			}
			if err != nil {
				return wrong("servers: "+name+": oauth: cannot read client_key", err)
			}
		}
	}
	return nil
}
