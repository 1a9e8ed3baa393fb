package wiretest

import "os"

// scriptVariable holds the script of a process that plays one.
const scriptVariable = "MCPTEST_SCRIPT"

// Command is the argv and the environment of a process that plays the script: the running test binary again, whose
// TestMain calls Play first.
func Command(script string) (argv, env []string) {
	New(script) // a mistake shows here rather than in the child
	return []string{os.Args[0]}, []string{scriptVariable + "=" + script, "PATH=" + os.Getenv("PATH")}
}

// Play plays the script that the environment names and exits. Without one it returns at once. TestMain calls it
// before anything else.
func Play() {
	if script, ok := os.LookupEnv(scriptVariable); ok {
		os.Exit(New(script).Main())
	}
}
