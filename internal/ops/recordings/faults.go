package recordings

import (
	"errors"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// defaultSeed is the seed if none is given: two runs select the same messages.
const defaultSeed = 1

// faultPlan returns the faults that the user asks for; nil if there are none.
func faultPlan(w *workbench.Workbench, in *TapInput, over fault.Transport) (*fault.Plan, error) {
	if len(in.Fault) == 0 && in.Faults == "" {
		if in.Seed != 0 {
			return nil, &workbench.UsageError{Message: "--seed requires --fault or --faults"}
		}
		return nil, nil
	}
	plan := &fault.Plan{}
	if in.Faults != "" {
		text, err := w.ReadFile(in.Faults)
		if err != nil {
			return nil, &workbench.UsageError{Message: "--faults: " + err.Error()}
		}
		if plan, err = fault.ReadPlan(in.Faults, text); err != nil {
			return nil, planError(err)
		}
	}
	for _, spec := range in.Fault {
		rule, err := fault.Parse(spec)
		if err != nil {
			return nil, specError(err)
		}
		plan.Rules = append(plan.Rules, rule)
	}
	if in.Seed != 0 {
		plan.Seed = in.Seed
	}
	if plan.Seed == 0 {
		plan.Seed = defaultSeed
	}
	if err := plan.Check(over); err != nil {
		return nil, &workbench.UsageError{Message: err.Error()}
	}
	return plan, nil
}

// specError returns the error of --fault, with the kinds if they help.
func specError(err error) error {
	out := &workbench.UsageError{Message: "--fault: " + err.Error(), Hint: "the form is METHOD[:SELECTOR]:KIND[=VALUE], " +
		"such as tools/call:20%:delay=5s"}
	var spec *fault.SpecError
	if errors.As(err, &spec) && spec.Kinds {
		out.Hint = hint.Text("kinds: " + strings.Join(fault.Names(), ", "))
	}
	return out
}

// planError returns the error of a file with faults.
func planError(err error) error {
	var problems document.Problems
	if errors.As(err, &problems) {
		return &workbench.UsageError{Message: "--faults: " + problems.Error()}
	}
	return &workbench.UsageError{Message: "--faults: " + err.Error()}
}
