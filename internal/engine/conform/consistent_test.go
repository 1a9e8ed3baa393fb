package conform

import "testing"

func TestInconsistency(t *testing.T) {
	for result, wrong := range map[string]bool{
		`{"structuredContent":{"items":[1,2],"total_count":1}}`:                                  true,
		`{"structuredContent":{"items":[1,2],"totalResults":1}}`:                                 true,
		`{"content":[{"type":"text","text":"[{\"id\":1},{\"id\":2},{\"id\":1}]"}]}`:              true,
		`{"structuredContent":{"items":[1,2],"total_count":9}}`:                                  false, // one of many pages
		`{"structuredContent":{"values":[0,0],"total":0}}`:                                       false, // a sum
		`{"structuredContent":{"a":[1,2],"b":[1],"total_count":1}}`:                              false, // which of them?
		`{"structuredContent":{"rows":[{"id":1,"n":1},{"id":1,"n":2}]}}`:                         false, // parts of one thing
		`{"structuredContent":{"rows":[{"id":null},{"id":null}]}}`:                               false,
		`{"structuredContent":{"rows":[{"name":"a"},{"name":"a"}]}}`:                             false,
		`{"content":[{"type":"text","text":"no JSON"}]}`:                                         false,
		`{"content":[{"type":"text","text":"[\"a\",\"a\"]"}],"structuredContent":{"count":"1"}}`: false,
	} {
		if got := inconsistency([]byte(result)); (got != "") != wrong {
			t.Errorf("%s: %q, expected a finding: %v", result, got, wrong)
		}
	}
}
