package exposure

import "strings"

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

// divides matches a division in the arguments of a call.
var divides = compile(`/|%|(?i)\bdiv|\bmod`)

// DividesByZero reports whether a message is that of a division by zero, not the name of an exception, and the arguments request a
// division: then the message is about them.
func DividesByZero(message, arguments string) bool {
	return strings.HasSuffix(message, "by zero") && divides().MatchString(arguments)
}

// chance matches what tools say whose results depend on chance.
var chance = compile(`(?i)random|\bdice\b|\bdie\b|\brolls?\b|\bcoins?\b|shuffl|lottery|\bby chance\b|\buuid|\bguid\b|password generat|generate\w* .{0,20}password`)

// DependsOnChance reports whether the results of a tool, by its name or description, depend on chance.
func DependsOnChance(name, description string) bool {
	return chance().MatchString(strings.Join(nameWords(name), " ")) || chance().MatchString(description)
}
