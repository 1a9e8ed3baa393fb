package wiretest

import "os"

// scriptVariable contains the script for a process.
const scriptVariable = "MCPTEST_SCRIPT"

// Command returns the argv and the environment of a process that plays the script: the running test binary
// again, whose TestMain calls Play first.
func Command(script string) (argv, env []string) {
	New(script) // so that an error is reported here rather than in the child
	return []string{os.Args[0]}, []string{scriptVariable + "=" + script, "PATH=" + os.Getenv("PATH")}
}

// Play plays the script in the environment and exits. Without one it returns immediately. TestMain calls it
// before anything else.
func Play() {
	if script, ok := os.LookupEnv(scriptVariable); ok {
		os.Exit(New(script).Main())
	}
}
