package signin

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// predict follows the steps of another client up to the consent of the user.
func predict(ctx context.Context, w *workbench.Workbench, found *target.Resolved, in *Input, o Options) (*Result,
	error) {
	ladder, err := auth.LadderOf(in.As)
	if err != nil {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value for --as: %v", err),
			Hint: hint.Text("use one of: " + strings.Join(auth.LadderIDs(), ", "))}
	}
	if in.ClientCredentials || in.Assertion != "" || in.IdentityEndpoint != "" || in.DPoP || in.Open {
		return nil, &workbench.UsageError{Message: "--as follows the steps of a client without a sign-in",
			Hint: "remove the flags of the grant, and {--open}"}
	}
	flow, err := flow(w, found, &in.Settings, o)
	if err != nil {
		return nil, err
	}
	defer flow.Close()
	result := &Result{Server: found.Target.String()}
	defer func() { result.Steps = flow.Steps() }()
	refused, said, err := tryServer(ctx, w, found.Target, o)
	if err != nil && ctx.Err() == nil {
		o.OnStep(unreached(w, found.Target.URL, err))
	}
	if err != nil {
		return result, err
	}
	if refused == nil {
		flow.Report(auth.OK, nil, "no token required: "+said, "", "")
		result.OK = true
		result.As = &auth.Prediction{Client: ladder.ID, Name: ladder.Name, Version: ladder.Version, Outcome: auth.NoToken}
		return result, nil
	}
	result.Needed = true
	result.As, err = flow.Predict(ctx, *refused, ladder)
	result.OK = result.As.Outcome == auth.ReachesConsent
	return result, err
}

// writePrediction shows where a client gets, and why.
func writePrediction(t *workbench.Text, p *auth.Prediction) {
	name := strings.TrimSpace(p.Name + " " + p.Version)
	switch p.Outcome {
	case auth.NoToken:
		t.Line(t.Good("the server requires no token"))
	case auth.ReachesConsent:
		t.Line(t.Good("%s gets as far as the user's consent", name))
	case auth.AsksUser:
		t.Line(fmt.Sprintf("%s asks the user for a client ID at the step %s", name, stepNames(p.Step)))
	case auth.MayFail:
		t.Line(fmt.Sprintf("%s may fail at the step %s; it is not certain, because of the evidence below", name,
			stepNames(p.Step)))
	default:
		t.Line(t.Bad("%s fails at the step %s", name, stepNames(p.Step)))
	}
	if p.Problem != "" {
		t.Line("  problem: " + report.Visible(p.Problem))
	}
	if p.Change != "" {
		t.Line("  fix on the server: " + report.Visible(p.Change.String()))
	}
	for _, used := range p.Because {
		t.Line(t.Dim("  evidence: %s", evidence(used)))
	}
	if len(p.NotTried) > 0 {
		t.Line(t.Dim("  not tried, because a user must sign in: %s", stepNames(p.NotTried...)))
	}
}

// evidence shows a claim in words, with its source.
func evidence(used auth.UsedClaim) string {
	claim := strings.ReplaceAll(used.Describe(), "`", "")
	if used.Evidence == auth.Assumed {
		return claim + " (no evidence: assumed from the specification)"
	}
	return fmt.Sprintf("%s (%s, read %s: %s)", claim, used.Evidence, used.Date, used.Source)
}

// stepNames returns the titles of steps, as in the lines above the result.
func stepNames(steps ...auth.Name) string {
	var all []string
	for _, s := range steps {
		all = append(all, fmt.Sprintf("%q", s.Title()))
	}
	return strings.Join(all, ", ")
}
