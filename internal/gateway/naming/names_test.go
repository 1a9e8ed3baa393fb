package naming

import (
	"net/url"
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// Names are injective, short and made of letters that all hosts take (E5).
func TestE5NamesAreInjective(t *testing.T) {
	fits := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	name := rapid.OneOf(rapid.StringMatching(`[a-c_]{1,4}`), rapid.StringMatching(`[a-z_.\-/ ]{0,80}`), rapid.String(),
		rapid.SampledFrom([]string{"a__b", "_", "__", "a_", "_a", "-0123456789abc", "x-0123456789abc", "ünï"}))
	rapid.Check(t, func(t *rapid.T) {
		budget := rapid.SampledFrom([]int{64, 40}).Draw(t, "budget")
		seen := map[string][2]string{}
		for range 20 {
			pair := [2]string{name.Draw(t, "server"), name.Draw(t, "tool")}
			got := Expose(pair[0], pair[1], budget)
			if other, ok := seen[got]; ok && other != pair {
				t.Fatalf("%q and %q are both %s", other, pair, got)
			}
			if !fits.MatchString(got) && pair[1] != "" || len(got) > budget {
				t.Fatalf("Expose(%q) = %q, want at most %d plain letters", pair, got, budget)
			}
			seen[got] = pair
		}
	})
}

// Names of now are names of always: a change here changes what agents have learnt.
func TestE5NamesAreStable(t *testing.T) {
	for _, test := range []struct{ server, tool, want string }{
		{"files", "read_file", "files__read_file"},
		{"", "greet", "greet"},
		{"a__b", "c", "a__b__c-l4jg1jmigbsel"},
		{"a", "b__c", "a__b__c"},
		{"my server", "do.it", "my_server__do_it-dpkpk26jl6l0m"},
		{"s", "a_tool_whose_name_is_so_long_that_no_host_would_ever_take_it_as_it_is", ""},
	} {
		got := Expose(test.server, test.tool, 64)
		if test.want != "" && got != test.want || len(got) > 64 {
			t.Errorf("Expose(%q, %q) = %q, want %q", test.server, test.tool, got, test.want)
		}
	}
}

// A URI can be taken apart again, whatever server and resource it is of, and stays one of its scheme.
func TestE5URIsAreReversible(t *testing.T) {
	server := rapid.OneOf(rapid.StringMatching(`[a-cA-C+_.#&=]{1,4}`), rapid.String())
	uri := rapid.OneOf(rapid.StringMatching(`(ui|file|urn|https):[a-c/&=?]{0,6}(#[a-c&=]{0,4})?`),
		rapid.SampledFrom([]string{
			"ui://a/b.html", "ui://a#gateway=x", "ui://a#b&gateway=x", "urn:isbn:1", "data:,x", "file:///{path}",
			"a:b?gateway=x&gateway=y"}))
	rapid.Check(t, func(t *rapid.T) {
		s, u := server.Draw(t, "server"), uri.Draw(t, "uri")
		seen := URI(s, u)
		if gotServer, gotURI, ok := ReadURI(seen); !ok || gotServer != s || gotURI != u {
			t.Fatalf("%q of %q is %q, which is read as %q of %q", u, s, seen, gotURI, gotServer)
		}
		before, err := url.Parse(u)
		if err != nil {
			return
		}
		after, err := url.Parse(seen)
		if err != nil || after.Scheme != before.Scheme || after.Host != before.Host || after.Path != before.Path ||
			after.Opaque != before.Opaque {
			t.Fatalf("%q became %q (%v), which is another resource", u, seen, err)
		}
	})
}

// A name is recognized whatever the budget was, and never as that of another tool.
func TestNamesAreRecognized(t *testing.T) {
	name := rapid.OneOf(rapid.StringMatching(`[a-c_]{1,4}`), rapid.StringMatching(`[a-z_.\-/ ]{1,80}`), rapid.String(),
		rapid.SampledFrom([]string{"a__b", "_", "__", "a_", "_a", "-0123456789abc", "x-0123456789abc", "ünï"}))
	rapid.Check(t, func(t *rapid.T) {
		budget := rapid.SampledFrom([]int{64, 40}).Draw(t, "budget")
		server, tool := name.Filter(func(s string) bool { return s != "" }).Draw(t, "server"), name.Draw(t, "tool")
		seen := Expose(server, tool, budget)
		if !Is(seen, server, tool) || !Belongs(seen, server) {
			t.Fatalf("%q is not recognized as %q of %q", seen, tool, server)
		}
		if own, ok := Own(seen, server); ok && own != tool {
			t.Fatalf("%q of %q is %q", seen, server, own)
		}
		other, thing := name.Draw(t, "other"), name.Draw(t, "thing")
		if (other != server || thing != tool) && Is(seen, other, thing) && other != "" {
			t.Fatalf("%q is recognized as %q of %q", seen, thing, other)
		}
		if own, ok := Own(seen, other); ok && (other != server || own != tool) {
			t.Fatalf("%q is %q of %q, read as %q of %q", seen, tool, server, own, other)
		}
	})
}
