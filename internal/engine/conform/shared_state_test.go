package conform

import "testing"

// TestComparisonsRunAlone checks that nothing runs beside checks which say that a call returns the result of another one: a tool
// that shares state between concurrent calls returns such results only then.
func TestComparisonsRunAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []*Check{tool042, tool054, tool056, tool057} {
		if !c.Alone {
			t.Errorf("%s runs beside other checks, expected it to run alone", c.ID)
		}
	}
}
