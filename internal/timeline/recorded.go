package timeline

import "github.com/mcptest-dev/mcptest/internal/protocol/wire"

// maxSeqs is how many frames of a recording can be referred to by a later response.
const maxSeqs = 100_000

// A Renumbering stores the frames of a recording in a transcript, which numbers them again: a recording may lack
// frames. Responses keep referring to their requests.
type Renumbering struct {
	log  *wire.Transcript
	seqs map[int]int // of frames of the client and the server, by their number in the recording
}

// Renumber returns what stores a recording in log.
func Renumber(log *wire.Transcript) *Renumbering { return &Renumbering{log, map[int]int{}} }

// Record stores a frame.
func (r *Renumbering) Record(f wire.Frame) {
	recorded := f.Seq
	f.Reply = r.seqs[f.Reply]
	stored := r.log.Record(f)
	if len(r.seqs) >= maxSeqs {
		clear(r.seqs)
	}
	if recorded > 0 {
		r.seqs[recorded] = stored.Seq
	}
}
