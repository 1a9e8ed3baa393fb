package tap

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// A metaFile is the file that describes a session. It is updated in place and padded, so that a full disk does
// not prevent an update.
type metaFile struct {
	path string
	file *os.File
}

// metaRoom is the minimum size of the file.
const metaRoom = 8 << 10

func (m *metaFile) write(s *Session) {
	if m.file == nil {
		if os.MkdirAll(filepath.Dir(m.path), 0o700) != nil {
			return
		}
		file, err := os.OpenFile(m.path, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return
		}
		m.file = file
	}
	text, err := json.Marshal(s)
	if err != nil {
		return
	}
	if pad := metaRoom - 1 - len(text); pad > 0 {
		text = append(text, bytes.Repeat([]byte(" "), pad)...)
	}
	_, _ = m.file.WriteAt(append(text, '\n'), 0)
}

func (m *metaFile) close() {
	if m.file != nil {
		_ = m.file.Close()
	}
}
