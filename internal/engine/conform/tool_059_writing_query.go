package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool059 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-059",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-annotations"),
		Doc: `read-only query tool should reject statements that write

The tool has readOnlyHint: true and takes SQL. It executed a DELETE, for example one behind WITH x AS (SELECT 1), whose
condition is never true: the check deletes nothing. Hosts call read-only tools without user confirmation, so a model, or a text
that instructs it, can delete data. A check of the first word is not enough: open the database read-only, or use a
transaction or a role that is read-only. The same statement with a misspelled keyword failed, so the database has executed
this one. Tools that by their description roll back or work on a copy are not checked, and none is without --allow-disruptive,
also on this machine.`,
	},
	Needs:      "tools",
	Disruptive: true,
	Alone:      true, // a statement that writes may lock the database for others
	Run: func(ctx context.Context, p *CheckContext) error {
		if !p.round.opts.AllowDisruptive { // not even a statement without effect is sent to a local database unasked
			return p.Skip("sends a DELETE that matches no row; use --allow-disruptive to permit it")
		}
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, c := range done {
			name := statementArgument(c.Tool)
			if name == "" || tried == maxReads || causedRequest(c) ||
				string(At(c.Definition, "/annotations/readOnlyHint")) != "true" {
				continue
			}
			tried++
			if err := p.tryWriting(ctx, c.Tool, name); err != nil {
				return err
			}
		}
		return nil
	},
}

// Tools that take SQL, what protects their database, what says that a statement failed, and names of tables.
var (
	statementNames = lazyregexp.New(`^(?:sql|query|statement|sql_?(?:query|statement|text|string)|q)$`)
	speaksOfSQL    = lazyregexp.New(`(?i)\b(?:sql|sqlite|mysql|mariadb|postgres\w*|duckdb)\b`)
	isProtected    = lazyregexp.New(`(?i)roll(?:ed|s|ing)? ?back|sandbox|(?:temporary|own|fresh|private) copy|copy of|never commit|not committed|scratch`)
	statementFails = lazyregexp.New(`(?i)error|denied|only|not (?:allowed|permitted|supported|executed)|reject|forbidden|must|cannot|can't|` +
		`block|invalid|refus|read.?only|fail|warning|disallow|prohibit|unsupported|illegal`)
	tableName = lazyregexp.New(`^[a-z_][a-z0-9_]{0,60}$`)
)

// statementArgument returns the argument of a tool that is an SQL statement; empty if there is none.
func statementArgument(t Tool) string {
	about := strings.ReplaceAll(t.Name, "_", " ") + "\n" + schema.TextAt(t.Definition, "/description")
	if isProtected().MatchString(about) {
		return ""
	}
	for _, m := range declaredArguments(t.Definition) {
		if statementNames().MatchString(schema.Snake(m.Name)) && takes(m.Value, `"SELECT 1"`) &&
			speaksOfSQL().MatchString(about+"\n"+schema.TextAt(m.Value, "/description")) {
			return m.Name
		}
	}
	return ""
}

// Statements that list tables.
var tableLists = []string{"SELECT name FROM sqlite_master WHERE type='table'",
	"SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN " +
		"('information_schema','pg_catalog','mysql','performance_schema','sys')"}

// maxTables is how many names are tried as those of a table.
const maxTables = 3

// tryWriting reports a tool that executes a DELETE without effect. It uses a session of its own: what the server does not
// commit ends with it.
func (p *CheckContext) tryWriting(ctx context.Context, t Tool, name string) error {
	s, err := p.Open(ctx, nil)
	if err != nil {
		return err
	}
	execute := func(statement string) (*mcp.Exchange, error) {
		raw, _ := json.Marshal(statement) // marshaling a string never fails
		arguments := withArgument(t, t.Arguments, name, string(raw))
		if schema.TextAt(arguments, "/"+schema.Token(name)) != statement {
			return nil, nil // the schema forbids it
		}
		return p.CallIn(ctx, s, "tools/call", mcp.Object("name", t.Name, "arguments", arguments))
	}
	table, err := knownTable(execute)
	if err != nil || table == "" {
		return err
	}
	for _, before := range []string{"WITH x AS (SELECT 1) ", ""} {
		statement := before + "DELETE FROM " + table + " WHERE 1=0"
		ex, err := execute(statement)
		if err != nil {
			return err
		}
		if !executed(ex, statement) {
			continue
		}
		twin, err := execute(before + "DELETEX FROM " + table + " WHERE 1=0")
		if err != nil {
			return err
		}
		if !rejected(twin) {
			return nil
		}
		p.once(Evidence{Subject: t.Name, Exchange: ex, Led: true}, "readOnlyHint is true: expected %s to be rejected, got a result",
			quoted(statement))
		return nil
	}
	return nil
}

// knownTable returns a table of the database of a tool: one that it lists and from which it selects, while it cannot select from a
// table that does not exist.
func knownTable(execute func(string) (*mcp.Exchange, error)) (string, error) {
	for _, list := range tableLists {
		ex, err := execute(list)
		if err != nil {
			return "", err
		}
		if ex == nil || (CallResult{Exchange: ex}).Result() == nil || (CallResult{Exchange: ex}).Failed() {
			continue
		}
		names := tablesIn(ex.Reply.Result)
		for _, table := range names[:min(len(names), maxTables)] {
			statement := fmt.Sprintf("SELECT 1 FROM %s WHERE 1=0", table)
			if ex, err = execute(statement); err != nil {
				return "", err
			}
			if executed(ex, statement) {
				ex, err = execute("SELECT 1 FROM mcptest_no_such_table WHERE 1=0")
				if err != nil || !rejected(ex) {
					return "", err
				}
				return table, nil
			}
		}
	}
	return "", nil
}

// executed reports whether a call succeeded, and nothing in its result says otherwise.
func executed(ex *mcp.Exchange, statement string) bool {
	if ex == nil {
		return false
	}
	c := CallResult{Exchange: ex}
	return c.Result() != nil && !c.Failed() && !statementFails().MatchString(strings.ReplaceAll(wholeText(c.Result()), statement, ""))
}

// rejected reports whether a call failed.
func rejected(ex *mcp.Exchange) bool {
	if ex == nil {
		return false
	}
	c := CallResult{Exchange: ex}
	return ex.Reply.Error != nil || c.Result() != nil && (c.Failed() || exposure.FindFailure(textsOf(c.Result())) != "" ||
		exposure.FindSQLError(textsOf(c.Result())) != "")
}

// wholeText returns the texts of a result with its structured content.
func wholeText(result json.RawMessage) string {
	return textsOf(result) + "\n" + string(At(result, "/structuredContent"))
}

// words matches words of a text.
var words = lazyregexp.New(`\w+`)

// tablesIn returns what may be the names of tables in a result.
func tablesIn(result json.RawMessage) []string {
	var found []string
	for _, word := range words().FindAllString(wholeText(result), 200) {
		internal := strings.HasPrefix(word, "sqlite_") || slices.Contains([]string{"name", "table_name", "columns", "rows", "row",
			"results", "result",
			"data", "fields", "count", "row_count", "rowcount", "type", "text", "success", "true", "null", "table", "tables", "message", "ok",
			"status", "query", "sql", "string"}, word)
		if tableName().MatchString(word) && !internal && !slices.Contains(found, word) {
			found = append(found, word)
		}
	}
	return found
}
