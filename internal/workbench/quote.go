package workbench

import "strings"

// QuoteWord quotes a string for a shell.
func QuoteWord(text string) string {
	if text != "" && strings.IndexFunc(text, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=", r)
	}) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// QuoteWords quotes a command for a shell.
func QuoteWords(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = QuoteWord(word)
	}
	return strings.Join(words, " ")
}
