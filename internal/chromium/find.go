// Package chromium runs an installed Chromium or Chrome without a window, and speaks the DevTools protocol with it over
// a pipe: no port is opened, and the browser exits when the pipe closes.
package chromium

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
)

// ErrMissing is the error if no browser is installed.
var ErrMissing = errors.New("no Chromium or Chrome is installed")

// names are the executables of browsers, the preferred first.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge",
	"msedge", "brave-browser"}

// macPaths are the executables of applications on macOS, which are not in PATH.
var macPaths = []string{"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
	"/Applications/Brave Browser.app/Contents/MacOS/Brave Browser"}

// Find returns the executable of an installed browser.
func Find() (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	if runtime.GOOS == "darwin" {
		for _, path := range macPaths {
			if _, err := os.Stat(path); err == nil {
				return path, nil
			}
		}
	}
	return "", ErrMissing
}
