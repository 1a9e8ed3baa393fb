package planted

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
)

var (
	twoNumbers = regexp.MustCompile(`^(\d{1,12}) ?([-+*]) ?(\d{1,12})$`)
	anyNumber  = regexp.MustCompile(`-?\d{1,12}`)
	noSum      = regexp.MustCompile(`[^0-9+*-]`)
)

// calculated is the value of a text of two numbers with a sign between them.
func calculated(text string) (string, bool) {
	parts := twoNumbers.FindStringSubmatch(text)
	if parts == nil {
		return "", false
	}
	x, _ := strconv.Atoi(parts[1])
	y, _ := strconv.Atoi(parts[3])
	return fmt.Sprint(map[string]int{"+": x + y, "-": x - y, "*": x * y}[parts[2]]), true
}

// adders lists servers that calculate with the numbers of a text and execute nothing.
func adders() []Creature {
	calculate := func(strip bool) func(*server, json.RawMessage) string {
		return func(s *server, a json.RawMessage) string {
			sent := text(a, "name")
			if strip {
				sent = noSum.ReplaceAllString(sent, "")
			}
			if value, ok := calculated(sent); ok {
				return said(value)
			}
			return s.failed("expected two numbers")
		}
	}
	return []Creature{
		{Name: "adds working hours", input: free, work: calculate(false)},
		{Name: "adds what is left of a text", input: free, work: calculate(true)},
		{Name: "adds all numbers of a text", input: free, work: func(_ *server, a json.RawMessage) string {
			sum := 0
			for _, one := range anyNumber.FindAllString(text(a, "name"), -1) {
				n, _ := strconv.Atoi(one)
				sum += n
			}
			return said(fmt.Sprint(sum))
		}},
		{Name: "returns the digits of a text", input: free, work: func(_ *server, a json.RawMessage) string {
			return said(regexp.MustCompile(`\D`).ReplaceAllString(text(a, "name"), ""))
		}},
	}
}
