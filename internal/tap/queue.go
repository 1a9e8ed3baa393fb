package tap

import (
	"bytes"
	"net/http"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/tap/fault"
)

// maxQueued is how many bytes wait for the recorder before parts are dropped.
const maxQueued = 32 << 20

// itemRoom is what an item needs besides its data.
const itemRoom = 128

// An item is a part of a stream, on its way to the recorder.
type item struct {
	stream *stream
	at     time.Time
	data   []byte
	lost   int64 // bytes of the stream before it that were dropped
	head   *head // of an HTTP message, with its first item
	end    bool  // the stream has ended
	err    error // why, if abnormally
	exit   *Exit // how the server exited; such an item has no stream

	injected *fault.Injection // the fault of the message that the item completes or begins
	eof      bool             // the sender has closed the stream; only with faults
	exited   bool             // its process has ended
}

// A head is the head of an HTTP request or response.
type head struct {
	status int
	header http.Header
}

// A queue holds what the recorder has not processed yet. Putting never waits.
type queue struct {
	wake chan struct{} // has a value if there may be items
	done chan struct{} // closed when no more items follow

	mu     sync.Mutex
	limit  int
	items  []item
	bytes  int
	lost   map[*stream]int64 // dropped since the last accepted item of the stream
	closed bool
}

func newQueue(limit int) *queue {
	return &queue{wake: make(chan struct{}, 1), done: make(chan struct{}), limit: limit, lost: map[*stream]int64{}}
}

// put adds an item with a copy of its data, or drops the data. The recorder is woken by signal.
func (q *queue) put(i item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	if size := len(i.data) + itemRoom; q.bytes+size > q.limit {
		q.lost[i.stream] += int64(len(i.data))
		if !i.end && i.head == nil && i.injected == nil {
			return
		}
		i.data = nil // the head and the end of a stream and faults are always kept
	}
	if lost := q.lost[i.stream]; lost > 0 {
		i.lost = lost
		delete(q.lost, i.stream)
	}
	i.data = bytes.Clone(i.data)
	q.bytes += len(i.data) + itemRoom
	q.items = append(q.items, i)
}

// gatherInterval is how long the recorder waits for more items: recording many at once costs much less than one at a
// time. A tap that is killed loses at most what passed in that time.
const gatherInterval = 5 * time.Millisecond

// gather waits for more items, unless there are many or the queue is closed.
func (q *queue) gather() {
	q.mu.Lock()
	enough := q.closed || q.bytes > q.limit/4
	q.mu.Unlock()
	if enough {
		return
	}
	select {
	case <-q.done:
	case <-time.After(gatherInterval):
	}
}

// signal wakes the recorder.
func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take returns all items, and whether more can follow.
func (q *queue) take() (items []item, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	items, q.items, q.bytes = q.items, nil, 0
	return items, !q.closed
}

// close ends the queue.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	close(q.done)
	q.signal()
}
