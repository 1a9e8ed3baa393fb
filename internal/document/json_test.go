package document

import (
	"strings"
	"testing"
)

func TestFromJSON(t *testing.T) {
	const text = `{"a":[1,2.50,-0,1e400,true,null,"😀 ${x} \" \\ /"],"b":{"a":{}},"a":[]}`
	n, err := FromJSON([]byte(strings.Replace(text, "😀", `\ud83d\ude00`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(n.JSON()); got != text {
		t.Errorf("got %s, want %s", got, text)
	}
	for _, wrong := range []string{"", "{", `{"a":1`, `{"a" 1}`, "[1,]", "1 2", `{1:2}`, strings.Repeat("[", 200)} {
		if n, err := FromJSON([]byte(wrong)); err == nil {
			t.Errorf("%q: expected an error, got %s", wrong, n.JSON())
		}
	}
}
