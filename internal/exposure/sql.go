package exposure

import (
	"regexp"
	"sync"
)

// sqlErrors matches what databases say about a statement that a text has changed: SQLite, PostgreSQL, MySQL, SQL Server,
// Oracle and their drivers. FindFullTextError finds those of full-text
// queries.
var sqlErrors = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)near "[^"]{0,80}": syntax error|unrecognized token: |\bSQLITE_ERROR\b|` +
		`SELECTs to the left and right of \w+ do not have the same number|` +
		`syntax error at or near|unterminated quoted (?:string|identifier) at or near|each UNION query must have the same number|` +
		`UNION types .{1,60} cannot be matched|You have an error in your SQL syntax|` +
		`used SELECT statements have a different number|Unclosed quotation mark (?:after|before) the character string|` +
		`Incorrect syntax near |All queries combined using a UNION|\bORA-0(?:0921|0933|0936|1756|1789)\b|` +
		`SQLSyntaxErrorException|\bSQLSTATE\[42`)
})

// FindSQLError returns the part of a text that is the error of a database about the syntax of a statement; empty if there
// is none.
func FindSQLError(text string) string { return sqlErrors().FindString(text) }

// fullTextErrors matches what full-text searches say about a query: SQLite, PostgreSQL, MySQL, Lucene.
var fullTextErrors = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)fts[345]: syntax error|malformed MATCH expression|syntax error in tsquery|` +
		`no operand in tsquery|syntax error, unexpected [^\n]{1,40}, expecting FTS_|Cannot parse '[^\n]{0,120}': (?:Encountered|Lexical)|` +
		`Failed to parse query \[|\btoken_mgr_error\b`)
})

// FindFullTextError returns the part of a text that is the error of a full-text search about the syntax of its query; empty if there
// is none. It is a fault only of a tool that says of no argument that it is in a language.
func FindFullTextError(text string) string { return fullTextErrors().FindString(text) }

// sqlWords are in the description of a tool whose arguments are parts of SQL statements on purpose.
var sqlWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bsql|sql\b|\bselect\b|\bwhere clause|quer(?:y|ies) (?:the|a|this|your) database|` +
		`database quer|_sql|sql_|execute.?query|run.?query`)
})

// TakesSQL reports whether the definition of a tool says that it takes SQL.
func TakesSQL(definition string) bool { return sqlWords().MatchString(definition) }
