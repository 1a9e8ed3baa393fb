package exposure

// conversion matches what tools say that change letters on purpose.
var conversion = compile(`(?i)ascii|latin.?1|\bencod|\bdecod|\bescap|transliterat|\bslug|unidecode|charset|codec|` +
	`\bcipher|\brot13|mojibake|\bsaniti[sz]e`)

// ConvertsText reports whether a tool, by its name or description, changes the letters of a text on purpose.
func ConvertsText(name, description string) bool {
	return conversion().MatchString(name) || conversion().MatchString(description)
}

// calculation matches what tools say that evaluate expressions or add numbers.
var calculation = compile(`(?i)\bevaluat\w+ (?:an? |the )?expressions?\b|\bformulas?\b|\barithmetic|\bcalculator|` +
	`\bmath(?:s|ematics|ematical)?\b|\bsums? (?:of|up)\b|\badd(?:s|ing)? (?:up |two |all |the )*numbers`)

// calculator matches the name of such a tool.
var calculator = compile(`(?i)^(?:calc|calculate|calculator|eval|evaluate|compute|sum|add|math)(?:[_-]?(?:numbers?|expression|formula))?$`)

// Calculates reports whether a tool, by its name or description, evaluates expressions or adds numbers on purpose.
func Calculates(name, description string) bool {
	return calculator().MatchString(name) || calculation().MatchString(description)
}
