// Package planted keeps servers with one planted defect each: processes with one tool, "work", that a fuzzer must find the
// defect of. Each can also be run mended, to show that a test of the defect passes once it is gone.
//
// They are modes of the test binary, whose TestMain calls Play first.
package planted

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
)

// A Creature is one server, and what a fuzzer has to say of it.
type Creature struct {
	Name     string
	Rule     string // the property that it breaks
	Smallest string // the calls that show it, none of which can be smaller: arguments, repetitions, cancellations
	Stateful bool   // it is found only by sequences
	Wire     bool   // it is found only by frames

	input, output string                                            // the schemas of the tool
	loose         bool                                              // it does not validate arguments before it works
	work          func(s *server, arguments json.RawMessage) string // what a call is answered with; empty where it is not, or is already
	frame         func(s *server, line []byte) bool                 // sees each line first, and says whether it dealt with it
}

// Creatures lists those of which a fuzzer must find the defect.
func Creatures() []Creature {
	return slices.Concat(crashes(), silences(), answers(), exceptions(), limits(), agreements(), growths(), sequences(), frames())
}

const (
	variable = "MCPTEST_PLANTED" // by which a process learns which creature it is
	without  = "mended "         // stands before the name of one without its defect
)

// Command is the argv of a process that is this creature, the running test binary again, and a variable that its
// environment must have.
func (c Creature) Command(mended bool) (argv []string, env string) {
	name := c.Name
	if mended {
		name = without + name
	}
	return []string{os.Args[0]}, variable + "=" + name
}

// Play becomes the creature that the environment names and exits. Without one it returns at once.
func Play() {
	name, mended := strings.CutPrefix(os.Getenv(variable), without)
	if name == "" {
		return
	}
	for _, c := range slices.Concat(Creatures(), Troublemakers(), Harmless()) {
		if c.Name != name {
			continue
		}
		if mended {
			c = c.mended()
		}
		(&server{creature: c, memory: map[string]string{}}).serve()
		os.Exit(0)
	}
	panic("no creature " + name)
}
