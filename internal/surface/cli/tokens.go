package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// minToken is the minimum length of a token from the user: at least 128 bits.
const minToken = 22

// tokens reads the tokens of callers, or generates one for this run. The token is stored only in a file that
// its owner can read: not in output, not in an argument. forget removes what was generated for this run.
func (s *serving) tokens(address net.Addr) (tokens []string, file string, forget func(), err error) {
	forget = func() {}
	if s.tokenFile != "" {
		tokens, err = readTokens(s.tokenFile)
		return tokens, s.tokenFile, forget, err
	}
	settings, err := os.UserConfigDir()
	if err != nil {
		return nil, "", forget, &workbench.UsageError{Message: err.Error(), Hint: "--token-file is required"}
	}
	_, port, _ := net.SplitHostPort(address.String())
	file = filepath.Join(settings, "mcptest", "serve-"+port+".token")
	_ = os.Remove(file) // of an earlier run on this port
	token := netguard.NewToken()
	if err := writeToken(file, token); err != nil {
		return nil, "", forget, err
	}
	return []string{token}, file, func() { _ = os.Remove(file) }, nil
}

// readTokens reads one token per line; a missing file is created with a new one.
func readTokens(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		token := netguard.NewToken()
		return []string{token}, writeToken(file, token)
	}
	if err != nil {
		return nil, &workbench.UsageError{Message: "--token-file: " + err.Error()}
	}
	if info, err := os.Stat(file); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm()&0o077 != 0) {
		return nil, &workbench.UsageError{Message: "--token-file: insecure permissions on " + file,
			Hint: hint.Text("run: chmod 600 " + file)}
	}
	var tokens []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if len(line) < minToken || strings.ContainsAny(line, " \t") {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("--token-file: invalid token: %d characters or "+
				"contains spaces, expected at least %d characters without spaces", len(line), minToken),
				Hint: "delete the file to generate a new token"}
		}
		tokens = append(tokens, line)
	}
	if len(tokens) == 0 {
		return nil, &workbench.UsageError{Message: "--token-file: no token in " + file,
			Hint: "delete the file to generate a new token"}
	}
	return tokens, nil
}

// writeToken creates a file that only its owner can read; an existing one is not changed.
func writeToken(file, token string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return &workbench.UsageError{Message: err.Error()}
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return &workbench.UsageError{Message: err.Error()}
	}
	_, err = f.WriteString(token + "\n")
	return errors.Join(err, f.Close())
}
