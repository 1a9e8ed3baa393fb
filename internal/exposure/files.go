package exposure

// anyFile matches what a tool says whose purpose is to read any file of the machine.
var anyFile = compile(`(?i)\b(?:absolute|full) (?:\w+ )?paths?\b|\bany (?:\w+ )?file\b|\blocal file ?system\b`)

// allowedFolder matches what a tool says that reads only the files below a folder.
var allowedFolder = compile(`(?i)\b(?:with)?in(?:side)? (?:the |an? |your |one of the )?(?:allowed|permitted|configured|vault|workspace|` +
	`project|repo(?:sitory)?|root|sandbox|base|data|docs?|documents?|notes?|library|store|storage|current|working|given|specified)\b|` +
	`\b(?:under|below|relative to|restricted to|limited to|allowed (?:director|folder|path)|only (?:files|paths))`)

// ReadsAnyFile reports whether the definition of a tool says that it reads files by their absolute paths, and names no
// folder to which it is limited.
func ReadsAnyFile(definition string) bool {
	return anyFile().MatchString(definition) && !allowedFolder().MatchString(definition)
}
