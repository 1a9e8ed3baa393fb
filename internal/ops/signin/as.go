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
		t.Line(t.Good("%s reaches the consent of the user", name))
	case auth.AsksUser:
		t.Line(fmt.Sprintf("%s asks the user for a client ID at the step %s", name, p.Step))
	case auth.MayFail:
		t.Line(fmt.Sprintf("%s may fail at the step %s (not certain: see the evidence)", name, p.Step))
	default:
		t.Line(t.Bad("%s fails at the step %s", name, p.Step))
	}
	if p.Problem != "" {
		t.Line("  problem: " + report.Visible(p.Problem))
	}
	if p.Change != "" {
		t.Line("  server change: " + report.Visible(p.Change.String()))
	}
	for _, used := range p.Because {
		t.Line(t.Dim("  %s", evidence(used)))
	}
	if len(p.NotTried) > 0 {
		t.Line(t.Dim("  not tried, because it needs the consent of a user: %s", names(p.NotTried)))
	}
}

// evidence shows a claim with its source.
func evidence(used auth.UsedClaim) string {
	if used.Evidence == auth.Assumed {
		return fmt.Sprintf("%s: %s (no evidence: assumed from the specification)", used.Rule, used.Value)
	}
	return fmt.Sprintf("%s: %s (%s: %s, %s)", used.Rule, used.Value, used.Evidence, used.Source, used.Date)
}

func names(steps []auth.Name) string {
	var all []string
	for _, s := range steps {
		all = append(all, string(s))
	}
	return strings.Join(all, ", ")
}
