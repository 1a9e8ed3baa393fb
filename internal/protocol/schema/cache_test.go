package schema

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestCacheKeepsByContent(t *testing.T) {
	var c Cache
	first, err := c.Compile(json.RawMessage(`{"type":"string","format":"date"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := c.Compile(json.RawMessage(`{"type":"string","format":"date"}`), &Options{})
	strict, _ := c.Compile(json.RawMessage(`{"type":"string","format":"date"}`), &Options{AssertFormat: true})
	other, _ := c.Compile(json.RawMessage(`{"type":"string","format":"time"}`), nil)
	if first != again || first == strict || first == other || c.Len() != 3 {
		t.Errorf("cache: same %t, strict apart %t, other apart %t, %d kept", first == again, first != strict,
			first != other, c.Len())
	}
}

func TestCacheKeepsFailures(t *testing.T) {
	var c Cache
	_, first := c.Compile(json.RawMessage(`{"type":5}`), nil)
	_, again := c.Compile(json.RawMessage(`{"type":5}`), nil)
	if first == nil || first != again {
		t.Errorf("errors %v and %v, want one and the same", first, again)
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := Cache{Size: 10}
	kept, _ := c.Compile(json.RawMessage(`{"const":0}`), nil)
	for i := range 100 {
		if _, err := c.Compile(json.RawMessage(fmt.Sprintf(`{"const":%d}`, i)), nil); err != nil {
			t.Fatal(err)
		}
		if again, _ := c.Compile(json.RawMessage(`{"const":0}`), nil); again != kept {
			t.Fatal("what is used stays")
		}
	}
	if c.Len() != 10 {
		t.Errorf("%d schemas kept, want 10", c.Len())
	}
}
