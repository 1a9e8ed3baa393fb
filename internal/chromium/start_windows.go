//go:build windows

package chromium

import (
	"errors"
	"io"
)

// start is not supported: a browser on Windows takes its pipe by other means.
func (b *Browser) start() (io.ReadCloser, error) {
	return nil, errors.New("rendering without a window is not supported on Windows")
}
