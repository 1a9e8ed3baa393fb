package exposure

import "testing"

// TestFindSyntaxError names the language of a syntax error, and finds none in what is said about a text.
func TestFindSyntaxError(t *testing.T) {
	for said, want := range map[string]string{
		"Query failed: missing ) after argument list":                                      "JavaScript",
		"Query failed: Unexpected identifier 'or'":                                         "JavaScript",
		"Invalid or unexpected token":                                                      "JavaScript",
		"Unexpected token ')'":                                                             "JavaScript",
		"unterminated string literal (detected at line 1) (<string>, line 1)":              "Python",
		"invalid syntax. Perhaps you forgot a comma? (<string>, line 1)":                   "Python",
		"EOL while scanning string literal (<string>, line 1)":                             "Python",
		"(eval):1: syntax error, unexpected end-of-input":                                  "Ruby",
		`PHP Parse error: syntax error, unexpected identifier "x" in x.php`:                "PHP",
		`[string "return 'zz''"]:1: unfinished string near '''`:                            "Lua",
		"/bin/sh: 1: Syntax error: Unterminated quoted string":                             "shell",
		"bash: -c: line 1: unexpected EOF while looking for matching `''":                  "shell",
		"XPath error : Unfinished literal":                                                 "XPath",
		"{'desc': 'Bad search filter'}":                                                    "LDAP",
		`Syntax Error: Unterminated string.`:                                               "GraphQL",
		"expected token 'end of print statement', got 'x'":                                 "template",
		`near "x": syntax error`:                                                           "SQL",
		"unrecognized token: \"'zz''\"":                                                    "SQL",
		"Parser Error: syntax error at or near \"x\"":                                      "SQL",
		"ORA-01756: quoted string not properly terminated":                                 "SQL",
		"You have an error in your SQL syntax; check the manual":                           "SQL",
		"Unclosed quotation mark after the character string 'x'.":                          "SQL",
		`fts5: syntax error near "'"`:                                                      "",
		`Unexpected token ''', "zz'" is not valid JSON`:                                    "",
		"Unexpected end of JSON input":                                                     "",
		"Invalid regular expression: /zz(/: Unterminated group":                            "",
		"No item is named zz'.":                                                            "",
		"Unexpected number of columns in the file":                                         "",
		"name contains an invalid character: '":                                            "",
		"Unexpected token: the session has expired. Please log in again to get a new one.": "",
	} {
		if got, _ := FindSyntaxError(said); got.Language != want {
			t.Errorf("%s: got %q, expected %q", said, got.Language, want)
		}
	}
}

// TestTakesCode recognizes arguments that are code on purpose.
func TestTakesCode(t *testing.T) {
	for _, c := range []struct {
		tool, description, argument, about string
		want                               bool
	}{
		{"find_item", "Find items by a part of their name.", "name", "Part of the name, for example bolt", false},
		{"search_books", "Search the catalogue by title or author.", "query", "Words to search for", false},
		{"get_country", "Country by its code.", "country", "Two letters", false},
		{"search_logs", "Search logs.", "query", "A query in Lucene syntax", true},
		{"read_query", "Read rows.", "text", "", true},
		{"findLines", "Find lines.", "lineRegex", "", true},
		{"calc", "", "x", "", true},
		{"find", "Select elements by a CSS selector.", "q", "", true},
		{"list", "List issues.", "filter", "", true},
	} {
		if got := TakesCode(c.tool, c.description, c.argument, c.about); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}
