// Package planted has servers with one planted defect each: processes with one tool, "work", whose defect a fuzzer must
// find. Each can also be run without the defect, to show that a test passes once it is fixed.
//
// They are modes of the test binary, whose TestMain calls Play first.
package planted

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
)

// A Creature is one server, with the expected finding of a fuzzer.
type Creature struct {
	Name     string
	Rule     string // the property that it violates
	Smallest string // the minimal calls that show it: arguments, repetitions, cancellations
	Stateful bool   // found only by sequences
	Wire     bool   // found only by frames

	input, output string   // the schemas of the tool
	loose         bool     // it does not validate arguments
	beside        []string // other tools with the same input, which always work
	// the result of a call; empty if there is none, or it was already sent
	work func(s *server, arguments json.RawMessage) string
	// receives each line first, and reports whether it handled it
	frame func(s *server, line []byte) bool
}

// Creatures lists the servers whose defect a fuzzer must find.
func Creatures() []Creature {
	return slices.Concat(crashes(), silences(), answers(), exceptions(), limits(), agreements(), unexplained(), pasted(), growths(), sequences(),
		frames())
}

const (
	variable = "MCPTEST_PLANTED" // names the creature that a process runs
	without  = "fixed "          // prefix of the name of a creature without its defect
)

// Command returns the argv of a process that runs this creature, the running test binary, and a variable for its
// environment.
func (c Creature) Command(fixed bool) (argv []string, env string) {
	name := c.Name
	if fixed {
		name = without + name
	}
	return []string{os.Args[0]}, variable + "=" + name
}

// Play runs the creature that the environment names and exits. Without one it returns immediately.
func Play() {
	name, fixed := strings.CutPrefix(os.Getenv(variable), without)
	if name == "" {
		return
	}
	for _, c := range slices.Concat(Creatures(), Troublemakers(), Harmless(), []Creature{Shallow(), Beside()}) {
		if c.Name != name {
			continue
		}
		if fixed {
			c = c.fixed()
		}
		(&server{creature: c, memory: map[string]string{}}).serve()
		os.Exit(0)
	}
	panic("no creature " + name)
}
