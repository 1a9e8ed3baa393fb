package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// nearFlags names the flags that are spelt nearly like the one that there is not.
func nearFlags(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	near := target.Nearest(unknown.GetSpecifiedName(), names)
	if other := sameFlag[unknown.GetSpecifiedName()]; slices.Contains(names, other) {
		near = []string{other}
	}
	if len(near) == 0 {
		return ""
	}
	return "did you mean --" + strings.Join(near, " or --") + "? "
}

// sameFlag is what a flag of one command is called in others.
var sameFlag = map[string]string{"format": "reporter", "reporter": "format"}

// noArguments refuses arguments of a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return &workbench.UsageError{Message: fmt.Sprintf("%q is one argument too many", args[0]), Hint: cmd.CommandPath() + " --help shows how"}
}

// flagProblem tells what is wrong with a flag. Of a value that cannot be read it says what is wanted, not which function
// could not read it.
func flagProblem(err error) string {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err.Error()
	}
	want := ""
	var number *strconv.NumError
	switch cause := bad.Unwrap(); {
	case errors.As(cause, &number) && number.Func == "ParseBool":
		want = "true or false"
	case number != nil && errors.Is(number, strconv.ErrRange):
		want = "a smaller number"
	case number != nil && number.Func == "ParseUint":
		want = "a whole number, 0 or more"
	case number != nil:
		want = "a whole number"
	case strings.HasPrefix(cause.Error(), "time: "):
		want = "a time such as 30s or 2m"
	default:
		return err.Error()
	}
	return fmt.Sprintf("--%s is %q; want %s", bad.GetFlag().Name, bad.GetValue(), want)
}
