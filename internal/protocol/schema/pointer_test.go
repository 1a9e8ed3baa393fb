package schema

import "testing"

func TestGet(t *testing.T) {
	const doc = ` {"a" : {"b/c":[10, 1.0 ,{"~":"x"}]}, "a~b": 9007199254740993, "\u0061b": "\/", "dup":1, "dup": 2, ` +
		`"":0} `
	for _, test := range []struct{ pointer, want string }{
		{"/a/b~1c/1", "1.0"},
		{"/a/b~1c/2/~0", `"x"`},
		{"/a~0b", "9007199254740993"},
		{"/ab", `"\/"`},
		{"/dup", "2"},
		{"/", "0"},
		{"/a", `{"b/c":[10, 1.0 ,{"~":"x"}]}`},
	} {
		got, ok := Get([]byte(doc), test.pointer)
		if !ok || string(got) != test.want {
			t.Errorf("Get(%q) = %s, %t, want %s", test.pointer, got, ok, test.want)
		}
	}
}

func TestGetFindsNothing(t *testing.T) {
	const doc = `{"a":[1,2],"s":"text"}`
	for _, pointer := range []string{"a", "/b", "/a/2", "/a/-", "/a/01", "/a/+1", "/s/0", "/a/x", "/a~2"} {
		if got, ok := Get([]byte(doc), pointer); ok {
			t.Errorf("Get(%q) = %s, want nothing", pointer, got)
		}
	}
	for _, broken := range []string{"", " ", `{"a"`, `{"a":`, `{"a":1`, `[1`, `"x`, `{"a" 1}`} {
		if got, ok := Get([]byte(broken), "/a"); ok {
			t.Errorf("Get in %q = %s, want nothing", broken, got)
		}
	}
}
