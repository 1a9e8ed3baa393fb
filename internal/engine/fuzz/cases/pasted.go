package cases

import "strings"

// PlainTexts are texts that break no code: the first one that the schema allows is compared with others.
var PlainTexts = []string{"zz", "zzzzzzzz"}

// breaking are the characters that end a string, or open or close a group, in code.
const breaking = `'"` + "`" + `\()[]`

// Marks lists the characters of a text that may break code, each once.
func Marks(text string) []string {
	var all []string
	if !strings.ContainsAny(text, breaking) {
		return nil
	}
	for _, mark := range strings.Split(breaking, "") {
		if strings.Contains(text, mark) {
			all = append(all, mark)
		}
	}
	return all
}

// HarmlessForms are the texts with which such a character does not end a string or a group: doubled, escaped for code, or closed.
func HarmlessForms(mark string) []string {
	switch mark {
	case "(", ")":
		return []string{"()", `\` + mark, map[string]string{"(": `\28`, ")": `\29`}[mark]}
	case "[", "]":
		return []string{"[]", `\` + mark}
	}
	return []string{mark + mark, `\` + mark}
}

// conditionForms join a condition with the text before it and with a comparison of "1" and what follows, which is no text: an
// alternative that is not met, or one more requirement that is.
var conditionForms = []struct{ joins, compares string }{{"||", "=="}, {"or", "=="}, {"OR", "="}, {"and", "!="}, {"&&", "!="}}

// Conditions are texts that end a string of code with a quotation mark and continue it with a condition, outside and inside the
// arguments of a function; nil if the character ends no string.
func Conditions(plain, mark string) []string {
	if !strings.Contains(`'"`+"`", mark) {
		return nil
	}
	var all []string
	for _, form := range conditionForms {
		for _, group := range []string{"", "()"} {
			closes, opens := strings.TrimPrefix(group, "("), strings.TrimSuffix(group, ")")
			all = append(all, plain+mark+closes+" "+form.joins+" "+Condition+" "+form.joins+" "+opens+mark+"1"+mark+
				form.compares+mark)
		}
	}
	return all
}
