package exposure

import (
	"slices"
	"strings"
	"unicode"
)

// codeNames are the words in the name of an argument, or of a tool, that takes code, a query, an expression or a pattern.
var codeNames = strings.Fields(`code script snippet source program expression expr regex regexp regexes pattern patterns glob
	formula equation math jq jmespath jsonpath template templates filter filters selector selectors xpath css command commands
	cmd shell bash sql ddl dsl graphql cypher sparql promql logql kql cql jql predicate where condition conditions macro markdown html xml
	yaml json latex tex mermaid diagram eval evaluate exec execute lint parse parser compile format formatter python javascript js ruby
	php lua powershell statement rule rules syntax grep sed awk`)

// toolNames are further words in the names of tools that do.
var toolNames = strings.Fields("query run calculate calculator calc compute validate")

// codeTexts matches what is said about such a tool or argument. A description has many words in other meanings, such as a
// code of a country and a filter of a list.
var codeTexts = compile(`(?i)\b(?:sql|expressions?|reg(?:ular )?-?ex\w*|xpath|jq|jmespath|json-?path|css selectors?|selectors?|` +
	`formulas?|equations?|scripts?|snippets?|source code|(?:python|javascript|typescript|lua|ruby|php|shell|bash|powershell|java) ` +
	`(?:code|scripts?|commands?|expressions?)|(?:run|runs|execute|executes|evaluate|evaluates|some|your|the) code|code (?:to|that|of)|` +
	`graphql|cypher|sparql|promql|logql|kql|jql|odata|lucene|fts5?|dsl|jinja2?|handlebars|mustache|liquid|` +
	`templates?|syntax|boolean (?:query|queries|operators?|search)|(?:search|query) (?:operators?|language|string|filters?)|` +
	`operators|phrases|query_string|elasticsearch|solr|tsquery|(?-i:AND\b.{0,12}\bOR)|wildcards?|globs?|patterns?|shell|commands?|predicates?|where clause|ldap filter|filter (?:expression|string|syntax)|` +
	`parses?|parser|markdown|html|latex|mermaid|evaluat\w+|arithmetic|calculat\w+|macros?)\b`)

// TakesCode reports whether an argument of a tool is code, a query, an expression or a pattern on purpose, by the names and
// descriptions of both: then a syntax error is about a wrong value.
func TakesCode(tool, description, argument, about string) bool {
	words := nameWords(tool)
	return slices.ContainsFunc(append(words, nameWords(argument)...), func(w string) bool { return slices.Contains(codeNames, w) }) ||
		slices.ContainsFunc(words, func(w string) bool { return slices.Contains(toolNames, w) }) ||
		codeTexts().MatchString(description) || codeTexts().MatchString(about)
}

// nameWords are the words of a name in lower case: listItems, list_items and list-items have the same.
func nameWords(name string) []string {
	var out strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			out.WriteByte(' ')
		}
		last = r
		if !unicode.IsLetter(r) {
			r = ' '
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(out.String())
}
