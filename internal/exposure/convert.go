package exposure

// conversion matches what tools say that change letters on purpose.
var conversion = compile(`(?i)ascii|latin.?1|\bencod|\bdecod|\bescap|transliterat|\bslug|unidecode|charset|codec|` +
	`\bcipher|\brot13|mojibake|\bsaniti[sz]e`)

// ConvertsText reports whether a tool, by its name or description, changes the letters of a text on purpose.
func ConvertsText(name, description string) bool {
	return conversion().MatchString(name) || conversion().MatchString(description)
}
