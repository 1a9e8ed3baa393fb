package catalog

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// A readTool is a tool from the store with its words; nil if it was removed.
type readTool struct {
	tool  *Tool
	words [fields][]string
}

// A reader decodes records on all processors, while decoded ones are consumed in order. Opening a large catalog is
// mostly this.
type reader struct {
	records []store.Record
	out     []readTool
	errs    []error         // by chunk
	done    []chan struct{} // by chunk
	workers sync.WaitGroup
}

// chunk is how many records are decoded at a time.
const chunk = 128

// reading starts to decode records. The caller must wait for it.
func reading(records []store.Record) *reader {
	chunks := (len(records) + chunk - 1) / chunk
	r := &reader{records: records, out: make([]readTool, len(records)), errs: make([]error, chunks),
		done: make([]chan struct{}, chunks)}
	for i := range r.done {
		r.done[i] = make(chan struct{})
	}
	var taken atomic.Int64
	for range min(runtime.GOMAXPROCS(0), chunks) {
		r.workers.Go(func() {
			for i := int(taken.Add(1)) - 1; i < chunks; i = int(taken.Add(1)) - 1 {
				r.errs[i] = r.read(i*chunk, min((i+1)*chunk, len(records)))
				close(r.done[i])
			}
		})
	}
	return r
}

func (r *reader) read(from, to int) error {
	for i := from; i < to; i++ {
		var err error
		if r.out[i], err = readRecord(r.records[i]); err != nil {
			return fmt.Errorf("cannot read the tool %s from the store: %w", r.records[i].Key, err)
		}
	}
	return nil
}

// next returns a record's tool when it is decoded.
func (r *reader) next(i int) (readTool, error) {
	<-r.done[i/chunk]
	return r.out[i], r.errs[i/chunk]
}

func (r *reader) wait() { r.workers.Wait() }

func readRecord(r store.Record) (readTool, error) {
	if r.Body == nil {
		return readTool{}, nil
	}
	t := &Tool{}
	if err := t.decode(r.Body); err != nil {
		return readTool{}, err
	}
	t.Server, t.Name, t.Version = r.Key.Server, r.Key.Name, r.Version
	if err := t.restore(); err != nil {
		return readTool{}, err
	}
	return readTool{tool: t, words: split(t)}, nil
}
