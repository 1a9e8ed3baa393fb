package exposure

// formatFaults matches what fmt of Go writes for a verb that does not fit its value.
var formatFaults = compile(`%!(?:[a-zA-Z]\((?:<nil>\)|MISSING\)|BADINDEX\)|PANIC=|[\w.*\[\]{}/ ]+=[^)\n]{0,60}\)?)|` +
	`\((?:EXTRA [^)\n]{0,60}\)?|NOVERB\)|BADWIDTH\)|BADPREC\)))`)

// FindFormatFault returns what fmt of Go writes for a verb that does not fit its value, such as %!w(<nil>) and %!d(string=x);
// empty if a text has none.
func FindFormatFault(text string) string { return formatFaults().FindString(text) }
