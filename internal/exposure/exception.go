// Package exposure detects what a text from a server should not contain: exceptions of a programming language, stack
// traces, secrets, file paths of the server, instructions to a model, and values that were not serialized.
package exposure

import (
	"slices"
	"strings"
)

// An Exception is an error of a programming language that appears in a text.
type Exception struct {
	Language string
	Name     string // the kind of exception, the same for all texts of one kind
	Found    string // the part of the text that contains it
	Sure     bool   // it is a bug of the program; otherwise it may be caused by the given value
}

// FindException returns the first exception in a text.
func FindException(text string) (Exception, bool) {
	for _, s := range exceptions {
		if found := s.pattern().FindString(text); found != "" {
			return Exception{Language: s.language, Name: s.name, Found: found, Sure: s.sure}, true
		}
	}
	return Exception{}, false
}

// generalWords introduce the exceptions that frameworks show. Other words are those of a handler, which says what failed.
var generalWords = strings.Fields(`a an the error errors executing execute execution calling call running run invoking invoke tool
	failed failure exception unexpected unhandled uncaught internal server mcp occurred while in during request to process processing
	handle handling code caught with got was from`)

// Reworded reports whether a text says in its own words what failed before it shows an exception: "SQL error: near …".
func (e Exception) Reworded(text, tool string) bool {
	before, _, found := strings.Cut(text, strings.TrimPrefix(e.Found, ": "))
	before = strings.TrimRight(before, " \"'(")
	if !found || !strings.HasSuffix(before, ":") {
		return false
	}
	known := append(nameWords(tool), generalWords...)
	return slices.ContainsFunc(nameWords(before), func(word string) bool { return !slices.Contains(known, word) })
}

// A signature is the pattern that identifies an exception.
type signature struct {
	language, name string
	sure           bool
	pattern        pattern
}

func bug(language, name, pattern string) signature {
	return signature{language, name, true, compile(pattern)}
}

func perhaps(language, name, pattern string) signature {
	return signature{language, name, false, compile(pattern)}
}

// InvalidExpression is the name of the exception if a text is not a valid regular expression.
const InvalidExpression = "invalid regular expression"

// exceptions are ordered: the most certain come first.
var exceptions = []signature{
	bug("Python", "AttributeError", `'\w+' object has no attribute '\w+'|\bAttributeError\b|module '[\w.]+' has no `+
		`attribute`),
	bug("Python", "TypeError on None", `'NoneType' object is not \w+|argument of type 'NoneType'|can only `+
		`concatenate \w+ \(not "\w+"\)`),
	bug("Python", "TypeError", `unsupported operand type\(s\) for|'\w+' object is not `+
		`(?:subscriptable|iterable|callable)`+
		`|'\w+' object cannot be interpreted as an integer|\w+\(\) (?:missing \d+ required|takes \d+|got an `+
		`unexpected keyword)`+
		`|'[<>]=?' not supported between instances of|unhashable type: '\w+'|(?:list|tuple|string) indices must be `+
		`integers`+
		`|sequence item \d+: expected str instance|\w+ is not JSON serializable|\bTypeError: `+
		`|can't (?:compare|subtract) offset-(?:naive|aware) and offset-(?:naive|aware) (?:date)?times`),
	bug("Python", "IndexError", `(?:list|tuple|string|pop)(?: assignment)? index out of range|pop from (?:an )?empty `+
		`\w+|\bIndexError\b`),
	bug("Python", "KeyError", `\bKeyError\b`),
	bug("Python", "ValueError of the runtime", `\bbytes? must be in range\(0, 256\)|\barg not in `+
		`range\(0x110000\)|I/O operation on closed file`+
		`|\byear -?\d+ is out of range|\bdate value out of range|\bday is out of range for month|timestamp out of range for platform|math domain `+
		`error|negative shift count|substring not found`),
	bug("Python", "ZeroDivisionError", `(?:^|: )(?:(?:float |integer )?(?:division|modulo) by zero|(?:integer `+
		`)?division or modulo by zero)$|\bZeroDivisionError\b`),
	bug("Python", "UnboundLocalError", `cannot access local variable|local variable '\w+' referenced before|name `+
		`'\w+' is not defined|\b(?:UnboundLocalError|NameError)\b`),
	bug("Python", "UnicodeError", `'[\w-]+' codec can't (?:en|de)code|\bUnicode(?:En|De)codeError\b|surrogates not `+
		`allowed`),
	bug("Python", "OverflowError", `\bOverflowError\b|int too large to convert|too large to convert to C|cannot `+
		`convert float (?:infinity|NaN) to integer|Exceeds the limit \(\d+ digits\)|math range error|Result too large`),
	bug("Python", "RecursionError", `\bRecursionError\b|maximum recursion depth exceeded`),
	bug("Python", "AssertionError", `\bAssertionError\b`),
	bug("Python", "ValueError on a sequence", `not enough values to unpack|too many values to `+
		`unpack|(?:min|max)\(\)(?: arg| iterable argument)? is(?: an)? empty|max\(\) arg is an empty `+
		`sequence`),
	bug("Python", "StatisticsError", `mean requires at least one data point|no median for empty `+
		`data|\bStatisticsError\b`),

	bug("JavaScript", "TypeError on undefined",
		`Cannot (?:read|set) propert(?:y|ies)(?: '\w+')? of (?:undefined|null)|(?:undefined|null) is not an `+
			`object|Cannot convert undefined or null to object|Cannot destructure property`),
	bug("JavaScript", "TypeError", `\b[\w.$]+(?:\(\.\.\.\))? is not (?:a function|iterable|a `+
		`constructor)\b|\bTypeError\b|Reduce of empty array with no initial value|Cannot mix BigInt|Converting `+
		`circular structure to JSON|Do not know how to serialize a BigInt`),
	bug("JavaScript", "ReferenceError", `\bReferenceError\b|Cannot access '\w+' before initialization`),
	bug("JavaScript", "RangeError", `\bRangeError\b|Maximum call stack size exceeded|Invalid array length|Invalid `+
		`string length|Invalid count value|Invalid time value|The string to be encoded contains characters `+
		`outside|Invalid character$|toFixed\(\) digits argument|URI malformed`),

	bug("Go", "nil dereference", `invalid memory address or nil pointer dereference|assignment to entry in nil map`),
	bug("Go", "index out of range", `runtime error: (?:index|slice bounds) out of range|runtime error: makeslice`),
	bug("Go", "divide by zero", `runtime error: integer divide by zero|integer divide by zero`),
	bug("Go", "interface conversion", `interface conversion: [\w{} .]+ is (?:nil|[\w.*\[\]]+), not`),
	bug("Go", "panic", `\bruntime error: |\bpanic(?:ked)?: |recovered from panic|strings: negative Repeat count`),

	bug("Rust", "panic", "thread '[^']*' panicked|panicked at|called `(?:Option|Result)::\\w+\\(\\)` on|index out of "+
		"bounds: the len is|attempt to (?:divide by zero|add with overflow|subtract with overflow|multiply with "+
		"overflow)|byte index \\d+ is not a char boundary|end byte index \\d+ is not"),

	bug("Java", "NullPointerException", `\bNullPointerException\b|Cannot invoke "[^"]+" because "[^"]+" is null`),
	bug("Java", "runtime exception",
		`\b(?:java|kotlin|scala|org\.springframework)\.[\w.]*(?:Exception|Error)\b|\b(?:ArrayIndexOutOfBounds|StringIndexOutOfBounds|IndexOutOfBounds|ClassCast|Arithmetic|NumberFormat|ConcurrentModification|NoSuchElement)Exception\b|class [\w.]+ cannot be cast to class|begin \d+, end \d+, length \d+|Index \d+ out of bounds for length \d+`),

	bug("C#", "NullReferenceException", `Object reference not set to an instance of an `+
		`object|\bNullReferenceException\b|Value cannot be null\. \(Parameter`),
	bug("C#", "runtime exception", `\bSystem\.[\w.]*Exception\b|Index was outside the bounds of the array|Sequence `+
		`contains no (?:matching )?elements?|Attempted to divide by zero|The given key '[^']*' was not present in `+
		`the dictionary|Unable to cast object of type|Input string was not in a correct format|Arithmetic operation `+
		`resulted in an overflow|startIndex cannot be larger than length`),

	bug("Ruby", "NoMethodError", "undefined (?:local variable or )?method [`'][^`']+' for |\\bNoMethodError\\b|nil "+
		"can't be coerced into|no implicit conversion (?:of \\w+ )?(?:in)?to|\\bFrozenError\\b|comparison of \\w+ "+
		"with \\w+ failed|stack level too deep"),
	bug("Ruby", "ZeroDivisionError", `\bdivided by 0\b`),

	bug("PHP", "Error", `Call to a member function \w+\(\) on|Undefined (?:array `+
		`key|index|offset|variable|property)|Attempt to read property "\w+" on null|Uncaught `+
		`\w*(?:Error|Exception)|(?:Argument #\d+ \(\$\w+\)|Return value) must be of type|Unsupported operand `+
		`types|Allowed memory size of|^Division by zero$|\bDivisionByZeroError\b`),

	// the key is all that it says
	perhaps("Python", "KeyError", `^(?:Error (?:executing|calling) tool '?[\w.-]+'?: )?'[^'\n]{0,100}'$`),
	perhaps("Python", "ValueError", `invalid literal for int\(\) with base \d+|could not convert string to `+
		`float|\bValueError\b|embedded null (?:byte|character)|time data .* does not match format|Invalid isoformat string`),
	perhaps("Python", "exception", `Traceback \(most recent call `+
		`last\)|\b(?:OSError|RuntimeError|NotImplementedError|JSONDecodeError|ModuleNotFoundError|ImportError|PermissionError|FileNotFoundError|TimeoutError)\b|\[Errno \d+\]`),
	perhaps("Python", InvalidExpression, `(?:unterminated character set|nothing to repeat|multiple repeat|bad escape .*|`+
		`unbalanced parenthesis|bad character range .*|unterminated subpattern|incomplete escape .*) at position \d+`),
	perhaps("JavaScript", InvalidExpression, `Invalid regular expression: `),
	perhaps("Go", InvalidExpression, `error parsing regexp`),
	perhaps("Java", InvalidExpression, `\bPatternSyntaxException\b|Unclosed (?:character class|group) near index|`+
		`Dangling meta character`),
	perhaps("Rust", InvalidExpression, `regex parse error`),
	perhaps("C#", InvalidExpression, `Invalid pattern '.*' at offset \d+`),
	perhaps("JavaScript", "SyntaxError", `\bSyntaxError\b|Unexpected token .* in JSON|Unexpected (?:token .*|end of JSON input)|`+
		`(?:Expected|Unexpected|Bad) .* in JSON at position`),
	perhaps("JavaScript", "exception", `\bE(?:NOENT|ACCES|ISDIR|NOTDIR|PERM|CONNREFUSED): `),
	perhaps("Go", "conversion", `strconv\.\w+: parsing |json: cannot unmarshal (?:string|object|array|bool)|reflect: `+
		`call of`),
	perhaps("Rust", "error", `invalid digit found in string|ParseIntError`),
	perhaps("SQL", "statement error",
		`\b(?:sqlite3?|psycopg2?|pymysql|mysql)\.\w*(?:Error|Exception)|\bSQLSTATE\[|syntax error at or near|near `+
			`"[^"]*": syntax error|unrecognized token: |You have an error in your SQL syntax`),
}
