package access

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"sync"
	"time"
)

// An Entry of the audit log says who called or changed what, when, and what came of it. Arguments, and the definition of a
// tool that was changed, appear as their hash alone.
type Entry struct {
	Time      time.Time     `json:"time"`
	Action    string        `json:"action,omitempty"` // none is a call
	Caller    string        `json:"caller"`
	Server    string        `json:"server"`
	Tool      string        `json:"tool"`
	Version   int           `json:"version"`
	Arguments string        `json:"arguments_sha256"`
	Outcome   string        `json:"outcome"`
	Elapsed   time.Duration `json:"elapsed_ns"`
	Trace     string        `json:"trace,omitempty"`
}

// An Audit writes entries, one JSON object a line.
type Audit struct {
	OnFailure func(error) // told of the first failure; nil is fine

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
