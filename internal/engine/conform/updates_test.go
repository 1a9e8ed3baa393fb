package conform

import "testing"

// TestNotifiedUpdates checks that SUB-005 and SUB-008 find nothing if subscribers are notified of changes.
func TestNotifiedUpdates(t *testing.T) {
	t.Parallel()
	for _, revision := range revisionsOf(&Check{}) {
		for _, place := range []Transports{OnPipe, OnHTTP} {
			if place == OnHTTP && revision == "2024-11-05" {
				continue // it has another transport
			}
			t.Run(revision+" "+place.String(), func(t *testing.T) {
				t.Parallel()
				m := mutant{defect: changedNote(true)}
				out, err := judged(t, m.target(t, "SUB-008", place), calm(revision, "SUB-005", "SUB-008"))
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range out.Report.Results {
					if got := shown(r.Findings); got != "" || r.Rule == "SUB-008" && r.Skipped+r.Broken != "" {
						t.Errorf("%s: expected nothing found, got %s%s%s", r.Rule, got, r.Skipped, r.Broken)
					}
				}
			})
		}
	}
}
