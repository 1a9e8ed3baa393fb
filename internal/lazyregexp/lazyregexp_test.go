package lazyregexp

import "testing"

func TestNewCompilesAtTheFirstCall(t *testing.T) {
	inTest = false
	defer func() { inTest = true }()
	invalid := New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("an invalid expression was compiled")
		}
	}()
	invalid()
}

func TestNewCompilesAtOnceInTests(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an invalid expression stays unnoticed")
		}
	}()
	New(`(`)
}

func TestNewCompilesOnce(t *testing.T) {
	digits := New(`\d+`)
	first, second := digits(), digits()
	if first != second || first.FindString("a12b") != "12" {
		t.Error("the expression is compiled again, or does not match")
	}
}
