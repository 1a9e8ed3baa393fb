package access

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"sync"
	"time"
)

// An Entry of the audit log records who called or changed what, when, and the outcome. Arguments, and the definition of
// a changed tool, are recorded only as a hash.
type Entry struct {
	Time      time.Time     `json:"time"`
	Action    string        `json:"action,omitempty"` // empty for a call
	Caller    string        `json:"caller"`
	Server    string        `json:"server"`
	Tool      string        `json:"tool"`
	Version   int           `json:"version"`
	Arguments string        `json:"arguments_sha256"`
	Outcome   string        `json:"outcome"`
	Elapsed   time.Duration `json:"elapsed_ns"`
	Trace     string        `json:"trace,omitempty"`
}

// An Audit writes entries, one JSON object per line.
type Audit struct {
	OnFailure func(error) // called on the first failure; may be nil

	mu  sync.Mutex
	out io.Writer
	err error // the first failure
}

// NewAudit returns an audit log on out.
func NewAudit(out io.Writer) *Audit { return &Audit{out: out} }

// Write writes one entry. After a failure nothing more is written.
func (a *Audit) Write(e Entry, arguments json.RawMessage) {
	sum := sha256.Sum256(arguments)
	e.Arguments = hex.EncodeToString(sum[:])
	line, err := json.Marshal(e)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil && err == nil {
		_, err = a.out.Write(append(line, '\n'))
	}
	if a.err == nil && err != nil {
		if a.err = err; a.OnFailure != nil {
			a.OnFailure(err)
		}
	}
}
