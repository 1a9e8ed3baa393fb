package diagnose

import (
	"regexp"
	"testing"
)

// The expressions are compiled only when a server has failed.
func TestSigns(t *testing.T) {
	for _, s := range signs {
		if _, err := regexp.Compile(s.text); err != nil {
			t.Errorf("%s: %v", s.text, err)
		}
	}
}
