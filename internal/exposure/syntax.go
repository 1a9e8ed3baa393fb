package exposure

import "strings"

// A SyntaxError is what an interpreter says about code that it cannot read.
type SyntaxError struct{ Language, Found string }

// FindSyntaxError returns the first syntax error of an interpreter in a text. Errors about data (JSON, YAML), regular
// expressions and full-text queries are not among them: they are about a text alone, not about code that it became part of. Nor
// are those in a long text, which is data.
func FindSyntaxError(text string) (SyntaxError, bool) {
	if len(text) > longFailure || aboutText().MatchString(text) {
		return SyntaxError{}, false
	}
	for _, s := range syntaxErrors {
		if found := s.pattern().FindString(text); found != "" {
			return SyntaxError{s.language, strings.TrimSpace(found)}, true
		}
	}
	if found := FindSQLError(text); found != "" {
		return SyntaxError{"SQL", found}, true
	}
	return SyntaxError{}, false
}

// aboutText matches errors about a text that is data, a regular expression or a full-text query.
var aboutText = compile(`JSON|YAML|yaml|XML|fts5:|tsquery|[Rr]egular expression|[Rr]egex|PatternSyntaxException|` +
	`Unterminated string starting at|Failed to parse query|No closing quotation`)

// syntaxErrors are the signatures of interpreters by language. Each contains words that no other message has.
var syntaxErrors = []struct {
	language string
	pattern  pattern
}{
	{"JavaScript", compile(`missing \) after (?:argument list|condition)|Invalid or unexpected token|` +
		`Unexpected (?:identifier|string|number|token|template string)(?: '[^'\n]{0,40}'| [^\w\s]{1,3})?(?:$|\n)|` +
		`Unexpected (?:end of input|strict mode reserved word)|Unterminated template(?: literal)?\b|` +
		`missing \} in (?:template|compound)|Unexpected eval or arguments|unterminated string literal(?:$|\n)|` +
		`'' string literal contains an unescaped line break|Invalid left-hand side`)},
	{"Python", compile(`\b(?:un)?terminated (?:triple-quoted )?(?:f-)?string literal \(detected at line|` +
		`EOL while scanning string literal|EOF while scanning triple-quoted|'[([{]' was never closed|` +
		`unmatched '[)\]}]'|closing parenthesis '.' does not match|invalid syntax(?:\. [^\n(]{0,60})? \((?:<[\w ]+>, )?line \d+|` +
		`unexpected character after line continuation character|unexpected EOF while parsing|` +
		`\(<string>, line \d+\)|f-string: (?:expecting|unterminated|single)`)},
	{"Ruby", compile(`unterminated string meets end of file|syntax errors? found \(SyntaxError\)|` +
		`\(eval[^)\n]{0,60}\):\d+: syntax error|syntax error, unexpected (?:t[A-Z]+|end-of-input|local variable)`)},
	{"PHP", compile(`\bParse error: |syntax error, unexpected (?:T_|token "|identifier "|string content|` +
		`single-quoted string|double-quoted string|end of file|integer "|variable "|'[^'\n]{1,10}')|eval\(\)'d code`)},
	{"Lua", compile(`unfinished (?:string|long string) near|'[^'\n]{1,6}' expected(?: \([^)\n]{0,40}\))? near|` +
		`unexpected symbol near|malformed (?:number|string) near|<eof> expected near`)},
	{"shell", compile("unexpected EOF while looking for matching|[Ss]yntax error: [Uu]nterminated quoted string|" +
		"syntax error near unexpected token|[Ss]yntax error: (?:\"[^\"\n]{1,10}\"|end of file|[Ww]ord|[Nn]ewline) unexpected|" +
		"\\b(?:zsh|sh|ksh)\\b[^\n]{0,30}: (?:unmatched [\"'`]|parse error near)|syntax error: unexpected end of file|" +
		"syntax error: unterminated quoted|The string is missing the terminator: ")},
	{"XPath", compile(`XPathEvalError|XPath error : |XPathExpressionException|XPathException|XPST0003|` +
		`is not a valid XPath expression|Unfinished literal|This is an unclosed string`)},
	{"LDAP", compile(`(?i)bad search filter|ldap[^\n]{0,60}(?:invalid|malformed|bad) filter|` +
		`\bFILTER_ERROR\b|LDAPInvalidFilterError|InvalidSearchFilterException|ldap_search\(\): |` +
		`filter compile error|unbalanced parenthes[ei]s in filter|\bunmatched parentheses in filter`)},
	{"JSONPath", compile(`JsonPath(?:Parser|Lexer)Error|InvalidPathException|Lexical error on line \d+\. Unrecognized text|` +
		`(?i)jsonpath[^\n]{0,60}(?:parse|syntax) error|jsonpath (?:parse|syntax)`)},
	{"jq", compile(`jq: (?:error: )?(?:syntax error|\d+ compile error)|\bunexpected token "[^"\n]{0,20}"\n|jq: compile error`)},
	{"JMESPath", compile(`jmespath\.exceptions|Bad jmespath expression|Unclosed (?:quote|"[^"]*") delimiter`)},
	{"MongoDB", compile(`JSInterpreterFailure|MongoServerError: SyntaxError|\$where[^\n]{0,60}SyntaxError`)},
	{"GraphQL", compile(`Syntax Error: (?:Unterminated string|Expected |Unexpected |Cannot parse|Invalid character)|` +
		`Syntax Error GraphQL|GraphQLSyntaxError`)},
	{"Elasticsearch", compile(`x_content_parse_exception|json_parse_exception|\bparsing_exception\b|ql_parsing_exception`)},
	{"Cypher", compile(`Neo\.ClientError\.Statement\.SyntaxError|CypherSyntaxError`)},
	{"SPARQL", compile(`MalformedQueryException|QueryBadFormed|SPARQL[^\n]{0,40}(?:syntax|parse) error`)},
	{"CSS", compile(`is not a valid selector|SelectorSyntaxError|Malformed \w+ selector at position|` +
		`Invalid character in(?: a)? selector|Unmatched selector: |Expected name, found |Empty sub-selector|Attribute selector didn't terminate`)},
	{"template", compile(`TemplateSyntaxError|expected token '[^'\n]{1,40}', got '|unexpected char .{1,6} at \d+|` +
		`unexpected end of template|Expecting 'ID', 'STRING'|Unclosed (?:tag|section) |expected end of print statement|` +
		`template: [\w.-]+:\d+: (?:unterminated|unexpected|function)|Liquid syntax error|Encountered unknown tag`)},
	{"SQL", compile(`(?i)parser error: |unterminated quoted string|unterminated string literal at|` +
		`syntax error in SQL|SQL syntax error|quoted string not properly terminated|\bSQL compilation error|` +
		`Lexical error at line \d+, column \d+|mismatched input '[^'\n]{0,20}' expecting|` +
		`(?:SQLITE_ERROR|OperationalError|sqlite3?)\b[^\n]{0,40}(?:syntax error|unrecognized token|incomplete input)`)},
}
