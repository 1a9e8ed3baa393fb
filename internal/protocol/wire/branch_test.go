package wire

import "testing"

// Branches are numbered together, so that a number names one frame of all connections.
func TestBranch(t *testing.T) {
	log := NewTranscript(nil)
	var heard []int
	a, b := log.Branch("a", func(f Frame) { heard = append(heard, f.Seq) }), log.Branch("b", nil)
	first := a.Record(Frame{Stream: "post-1", Body: []byte("1")})
	b.Record(Frame{Stream: "post-1", Body: []byte("2")})
	third := a.Record(Frame{Stream: "post-2", Body: []byte("3")})
	if first.Seq != 1 || third.Seq != 3 || first.Stream != "post-1" {
		t.Errorf("recorded %d (%s) and %d; want 1 (post-1) and 3", first.Seq, first.Stream, third.Seq)
	}
	if len(heard) != 2 || heard[1] != 3 {
		t.Errorf("the branch heard %v; want 1 and 3", heard)
	}
	kept := log.Since(0)
	if len(kept) != 3 || kept[1].Stream != "b/post-1" || kept[2].Stream != "a/post-2" {
		t.Errorf("kept %+v; want three frames with the names of their branches", kept)
	}
}
