package hosts

import "testing"

func TestTokens(t *testing.T) {
	for _, test := range []struct {
		raw  string
		want int
	}{
		{`{}`, 1}, {`{"name": "abcd"}`, 4}, {"{\n  \"name\":\n\"abcd\"}", 4}, {`"天气"`, 3}, {`"a \" b"`, 2},
	} {
		if got := Tokens([]byte(test.raw)); got != test.want {
			t.Errorf("Tokens(%s) = %d, want %d", test.raw, got, test.want)
		}
	}
}

// TestTokenError compares the estimate with the counts of a real tokenizer, o200k_base. Values with few words are the
// worst case: it counts too few tokens there.
func TestTokenError(t *testing.T) {
	for _, test := range []struct {
		text      string
		json      bool
		real      int
		low, high float64 // the estimate as a share of the real count
	}{
		{`{"type":"object","properties":{"path":{"type":"string","description":"Absolute path of the file to read"},` +
			`"head":{"type":"number"}},"required":["path"],"additionalProperties":false}`, true, 41, 1, 1.27},
		{`{"name":"search_repositories","description":"Search for GitHub repositories","parameters":{"type":"object",` +
			`"properties":{"query":{"type":"string","description":"Search query (see GitHub search syntax)"},` +
			`"page":{"type":"number","description":"Page number for pagination (default: 1)"}},"required":["query"]}}`,
			true, 67, 1, 1.27},
		{"Read the complete contents of a file from the file system as text. Handles various text encodings and " +
			"provides detailed error messages if the file cannot be read.", false, 31, 1, 1.5},
		{"按城市名称查询天气预报，返回未来三天的温度和降水概率。", false, 20, 1, 1.5},
		{`{"rows":[{"id":10241,"total":129.5,"paid":true},{"id":10242,"total":18.0,"paid":false}],` +
			`"next":"b2Zmc2V0PTI="}`, true, 48, 0.5, 1},
	} {
		got := TextTokens(test.text)
		if test.json {
			got = Tokens([]byte(test.text))
		}
		if share := float64(got) / float64(test.real); share < test.low || share > test.high {
			t.Errorf("%.40s…: estimated %d, real %d", test.text, got, test.real)
		}
	}
}
