package lint

import "testing"

func TestECMAError(t *testing.T) {
	for pattern, want := range map[string]bool{
		`(?i)^a$`: true, `^(?x:a)$`: true, `(?-i)a`: true, `^a\z`: true, `\h+`: true, `a?+`: true, `a{2,}+`: true, `^[\x{41}]$`: true,
		`(?P=id)`: true, `(?|a|b)`: true, `(?'id'a)`: true, `[[:digit:]]`: true, `[^[:space:],]`: true, `a\\\A`: true,
		`(?i:a)`: false, `(?i-s:a)`: false, `(?-m:a)`: false, `(?<id>a)\k<id>`: false, `(?=a)(?!b)(?<=c)(?<!d)`: false, `[^[:alpha:]`: false,
		`[(?i)++]`: false, `\(?i\)\++`: false, `a\\A`: false, `a+?b*?c??d{2}?`: false, `[\w\-.@\/]`: false, `\_\@`: false, `[]a++]`: false,
		`\p{L}\u0041\x41\cJ\0`: false, `a{b}+`: false, `(`: false, `(?`: true, `\`: false, ``: false,
	} {
		if err := ecmaError(pattern); (err != nil) != want {
			t.Errorf("ecmaError(%q) = %v, expected an error: %v", pattern, err, want)
		}
	}
}
