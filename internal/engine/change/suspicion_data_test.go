package change

import "testing"

// Releases of real servers, which contain no attack, are seldom suspicious.
func TestRealSuspicions(t *testing.T) {
	states := readStates(t)
	pairs, affected, items, changed := 0, 0, 0, 0
	for i := 1; i < len(states); i++ {
		if states[i-1].Server != states[i].Server {
			continue
		}
		pairs++
		any := false
		for _, item := range Compare(states[i-1].surface(), states[i].surface()).Items {
			changed++
			for _, s := range item.Suspicions {
				t.Logf("%s→%s %s %s: %s %s %s", states[i-1].Server, states[i].Version, item.Kind, item.Name, s.Rule,
					s.Path, s.Message)
			}
			if len(item.Suspicions) > 0 {
				items++
				any = true
			}
		}
		if any {
			affected++
		}
	}
	if affected*5 > pairs {
		t.Errorf("%d of %d pairs are suspicious, want at most a fifth", affected, pairs)
	}
	t.Logf("%d of %d pairs, %d of %d changed definitions", affected, pairs, items, changed)
}
