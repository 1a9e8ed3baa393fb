package tap

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
)

// maxBatch is how many bytes of lines are written at once.
const maxBatch = 256 << 10

// A recorder writes what passes to the files of a session, in its own goroutine.
type recorder struct {
	queue   *queue
	session Session
	secrets *redact.Secrets
	pairs   pairing
	sink    sink
	meta    metaFile
	done    chan struct{}
	stopAt  atomic.Int64 // when recording must stop, in nanoseconds; 0 before the session ends

	lines  []byte // not written yet
	frames int    // in lines
}

// newRecorder returns the recorder of a new session.
func newRecorder(o Options) *recorder {
	id := newID(time.Now())
	dir, _ := os.Getwd()
	r := &recorder{queue: newQueue(maxQueued), secrets: o.Secrets, done: make(chan struct{}), pairs: newPairing(),
		sink: sink{path: filepath.Join(o.Dir, id+framesSuffix), limit: maxSession},
		meta: metaFile{path: filepath.Join(o.Dir, id+sessionSuffix)},
		session: Session{ID: id, Mcptest: o.Version, Name: o.Name, URL: redact.URL(o.URL), Dir: dir,
			PID: os.Getpid(), Parent: parent(), Started: time.Now(), Clients: []Peer{}, Redacted: o.Secrets != nil}}
	for _, word := range o.Command {
		r.session.Command = append(r.session.Command, r.clean(word))
	}
	if o.Secrets == nil {
		r.session.URL = o.URL
	}
	if o.Faults != nil {
		r.session.Faults = &Faults{Seed: o.Faults.Seed, Injected: []fault.Injection{}}
		for _, rule := range o.Faults.Rules {
			r.session.Faults.Rules = append(r.session.Faults.Rules, rule.Text)
		}
	}
	return r
}

// start records in its own goroutine until end is called.
func (r *recorder) start() { go r.run() }

// newID returns the ID of a session that starts now; IDs sort by time.
func newID(now time.Time) string {
	var random [2]byte
	_, _ = rand.Read(random[:])
	return now.UTC().Format("20060102-150405") + "-" + hex.EncodeToString(random[:])
}

// run records until the queue is closed.
func (r *recorder) run() {
	defer close(r.done)
	r.writeSession()
	prune(filepath.Dir(r.sink.path), r.session.ID)
	for more := true; more; {
		<-r.queue.wake
		r.queue.gather()
		var items []item
		items, more = r.queue.take()
		for _, i := range items {
			r.item(i)
		}
		r.flush()
	}
	r.session.Pending = r.pairs.count
	ended := time.Now()
	r.session.Ended = &ended
	r.writeSession()
	r.sink.close()
	r.meta.close()
}

// tooSlow is why a part of a session is not recorded if the disk is not the reason.
const tooSlow = "recording was too slow"

// item records a part of a stream.
func (r *recorder) item(i item) {
	if i.exit != nil {
		r.session.Exit = i.exit
		return
	}
	if i.lost > 0 {
		r.sink.lose(0, i.lost, tooSlow)
	}
	if stop := r.stopAt.Load(); stop != 0 && time.Now().UnixNano() > stop {
		r.sink.lose(0, int64(len(i.data)), tooSlow)
		return
	}
	if faults := r.session.Faults; i.eof && i.stream.from == wire.Client && faults != nil {
		faults.ClientClosed, faults.ClientExited = &i.at, i.exited
	}
	i.stream.feed(i, func(f wire.Frame) {
		r.frame(f)
		r.noteFault(i.stream)
	})
}

// noteFault lists the fault of the frame that was just recorded.
func (r *recorder) noteFault(s *stream) {
	if s.injected == nil || r.session.Faults == nil {
		return
	}
	f := *s.injected
	s.injected, f.Seq = nil, r.session.Frames
	if r.session.Faults.Count++; len(r.session.Faults.Injected) < maxInjected {
		r.session.Faults.Injected = append(r.session.Faults.Injected, f)
		r.writeSession() // clients often kill what they started
	}
}

// frame records one frame.
func (r *recorder) frame(f wire.Frame) {
	if f.From == wire.Server && f.Stream == wire.StderrStream {
		f.Body = []byte(r.clean(wire.Plain(string(f.Body))))
	} else {
		r.session.Frames++
		f.Seq = r.session.Frames
		if r.pairs.note(&f, &r.session) {
			defer r.writeSession()
		}
		if r.secrets != nil {
			f.Header = r.secrets.Header(f.Header)
			f.Body = redacted(r.secrets, f.Body)
		}
	}
	if note := r.sink.note(); note != "" && r.frames == 0 {
		f.Fault = joined(f.Fault, note)
	}
	line, err := wire.RecordLine(f)
	if err != nil {
		r.sink.lose(1, int64(len(f.Body)), err.Error())
		return
	}
	if r.lines, r.frames = append(r.lines, line...), r.frames+1; len(r.lines) > maxBatch {
		r.flush()
	}
}

// redacted returns the body without secrets; the same slice if there are none.
func redacted(secrets *redact.Secrets, body []byte) []byte {
	if body == nil {
		return nil
	}
	clean := secrets.Text(string(body))
	if len(clean) == len(body) && clean == string(body) {
		return body
	}
	return []byte(clean)
}

func joined(fault, note string) string {
	if fault == "" {
		return note
	}
	return fault + "; " + note
}

// clean redacts text.
func (r *recorder) clean(text string) string {
	if r.secrets == nil {
		return text
	}
	return r.secrets.Text(text)
}

// flush writes the collected lines.
func (r *recorder) flush() {
	if r.frames == 0 {
		return
	}
	lost := r.sink.total
	r.sink.write(r.lines, r.frames)
	r.lines, r.frames = r.lines[:0], 0
	if cap(r.lines) > 8*maxBatch {
		r.lines = nil
	}
	if r.sink.total.Reason != lost.Reason {
		r.writeSession()
	}
}

// writeSession updates the description of the session.
func (r *recorder) writeSession() {
	s := r.session
	s.Bytes = r.sink.size
	if s.Lost = nil; r.sink.total.Reason != "" {
		lost := r.sink.total
		s.Lost = &lost
	}
	r.meta.write(&s)
}

// end waits until everything is recorded, for a limited time, and sets how the server exited. What is left shortly
// before is given up, so that there is time to record that.
func (r *recorder) end(exit *Exit, grace time.Duration) {
	r.stopAt.Store(time.Now().Add(grace * 3 / 4).UnixNano())
	if exit != nil {
		r.queue.put(item{end: true, exit: exit})
	}
	r.queue.close()
	select {
	case <-r.done:
	case <-time.After(grace):
	}
}
