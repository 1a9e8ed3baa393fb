package diagnose

// A Cause is why a process does not work, as far as its stderr output shows it.
type Cause struct {
	Text     string // empty if the output does not show it
	Variable string // the environment variable that it lacks; empty if that is not the cause
}

// CauseOf returns the cause that the stderr output of a server shows, without its config.
func CauseOf(stderr string) Cause {
	s, m := signOf(stderr)
	switch {
	case m == nil:
		return Cause{}
	case s.cause == missingVariable:
		return Cause{Text: "the server requires the environment variable " + m[1], Variable: m[1]}
	}
	return Cause{Text: s.fill(s.cause, m)}
}
