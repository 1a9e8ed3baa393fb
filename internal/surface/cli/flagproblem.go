package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

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
