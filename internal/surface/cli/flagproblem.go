package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/typo"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// nearFlags suggests flags with a similar spelling.
func nearFlags(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if command := elsewhere[cmd.Name()+" --"+unknown.GetSpecifiedName()]; command != "" {
		return command + ", or "
	}
	near := typo.Nearest(unknown.GetSpecifiedName(), names)
	if other := sameFlag[unknown.GetSpecifiedName()]; slices.Contains(names, other) {
		near = []string{other}
	}
	if len(near) == 0 {
		return ""
	}
	return "did you mean --" + strings.Join(near, " or --") + "? "
}

// sameFlag maps a flag to its name in other commands.
var sameFlag = map[string]string{"format": "reporter", "reporter": "format"}

// elsewhere maps a flag that other test runners have to the command for it.
var elsewhere = map[string]string{"run --record": "to make a suite from a recorded session, run: mcptest suite from SESSION"}

// noArguments rejects arguments of a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return &workbench.UsageError{Message: fmt.Sprintf("unexpected argument %q", args[0]),
		Hint: hint.Text(cmd.CommandPath() + " --help shows the usage")}
}

// flagProblem describes what is wrong with a flag. For an invalid value it states what is expected, not which
// function failed to parse it.
func flagProblem(err error) string {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err.Error()
	}
	want := ""
	var number *strconv.NumError
	var refused refusedFlag
	switch cause := bad.Unwrap(); {
	case errors.As(cause, &refused):
		return refused.Error()
	case errors.As(cause, &number) && number.Func == "ParseBool":
		want = "a boolean"
	case number != nil && errors.Is(number, strconv.ErrRange):
		want = "a smaller number"
	case number != nil && number.Func == "ParseUint":
		want = "an integer, 0 or more"
	case number != nil:
		want = "an integer"
	case strings.HasPrefix(cause.Error(), "time: "):
		want = "a duration such as 30s or 2m"
	default:
		return err.Error()
	}
	return fmt.Sprintf("invalid value %[2]q for --%[1]s: expected %[3]s", bad.GetFlag().Name, bad.GetValue(), want)
}
