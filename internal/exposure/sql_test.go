package exposure

import "testing"

// TestFindSQLError wants the errors of databases about a statement, and not those about the text of a search.
func TestFindSQLError(t *testing.T) {
	for said, want := range map[string]bool{
		`Error executing tool search: near "(": syntax error`:                                  true,
		`unrecognized token: "'("`:                                                             true,
		`ERROR: syntax error at or near "x" at character 41`:                                   true,
		`ER_PARSE_ERROR: You have an error in your SQL syntax; check the manual`:               true,
		`Unclosed quotation mark after the character string 'x'.`:                              true,
		`ORA-01756: quoted string not properly terminated`:                                     true,
		`SELECTs to the left and right of UNION do not have the same number of result columns`: true,
		`fts5: syntax error near "'"`:                                                          false,
		`syntax error in tsquery: "'"`:                                                         false,
		`There is no book with the name "x' OR 1=1".`:                                          false,
	} {
		if got := FindSQLError(said) != ""; got != want {
			t.Errorf("%s: got %v, expected %v", said, got, want)
		}
	}
}

// TestFindFullTextError wants the errors of full-text searches, and not what a search says of a text.
func TestFindFullTextError(t *testing.T) {
	for said, want := range map[string]bool{
		`Error executing tool search_notes: fts5: syntax error near "'"`: true,
		`syntax error in tsquery: "it's"`:                                true,
		`Failed to parse query [it's (]`:                                 true,
		`syntax error, unexpected $end, expecting FTS_TERM or FTS_NUMB`:  true,
		`Cannot parse 'a "': Lexical error at line 1`:                    true,
		`The query has a quotation mark without its counterpart.`:        false,
		`Cannot parse 'tomorrow': expected a date such as 2026-01-31.`:   false,
		`near "(": syntax error`:                                         false,
	} {
		if got := FindFullTextError(said) != ""; got != want {
			t.Errorf("%s: got %v, expected %v", said, got, want)
		}
	}
}

// TestTakesSQL wants tools that take SQL to be recognized by their words.
func TestTakesSQL(t *testing.T) {
	for said, want := range map[string]bool{
		`{"name":"read_query","description":"Execute a SELECT query on the SQLite database"}`: true,
		`{"name":"query","description":"Run a read-only SQL query"}`:                          true,
		`{"name":"search_books","description":"Search the catalogue by title or author."}`:    false,
	} {
		if got := TakesSQL(said); got != want {
			t.Errorf("%s: got %v, expected %v", said, got, want)
		}
	}
}
