package hostrun

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// A NotInstalled error means that the program of a host was not found.
type NotInstalled struct{ Host Host }

// Error names the host and its package.
func (e *NotInstalled) Error() string {
	return fmt.Sprintf("%s is not installed: %s is not in PATH", e.Host.ID, e.Host.Program)
}

// Locate finds the program of a host: in a folder, or in its node_modules; without a folder in PATH.
func Locate(h Host, folder string, lookPath func(string) (string, error)) (string, error) {
	if folder == "" {
		path, err := lookPath(h.Program)
		if err != nil {
			return "", &NotInstalled{h}
		}
		return filepath.Abs(path)
	}
	for _, dir := range []string{folder, filepath.Join(folder, "node_modules", ".bin"), filepath.Join(folder, "bin")} {
		if path, err := exec.LookPath(filepath.Join(dir, h.Program)); err == nil {
			return filepath.Abs(path)
		}
	}
	return "", fmt.Errorf("%s: %s is not in %s, nor in node_modules/.bin there", h.ID, h.Program, folder)
}

// InstallCommand returns the command that installs a version of a host in a folder with npm. Scripts of the packages run,
// as with npx: some hosts put their executable in its place with one.
func InstallCommand(h Host, version, folder string) []string {
	return []string{"npm", "install", "--no-audit", "--no-fund", "--no-save", "--prefix", folder, h.Package + "@" +
		version}
}

// SplitVersion splits NAME@VERSION.
func SplitVersion(text string) (name, version string) {
	name, version, _ = strings.Cut(text, "@")
	return name, version
}
