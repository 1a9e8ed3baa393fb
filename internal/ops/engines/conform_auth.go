package engines

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/ops/signin"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// asSignIn is the value of --auth-as for a sign-in with the browser.
const asSignIn = "sign-in"

// authOptions returns what checks of authorization may do; nil if they were not requested.
func (in *ConformInput) authOptions(w *workbench.Workbench) (*conform.AuthOptions, error) {
	if !in.Auth {
		if len(in.AuthAs) > 0 || in.AuthLab || in.AuthTool != "" || in.AuthClient != "" || in.AuthUpstream != "" {
			return nil, &workbench.UsageError{Message: "--auth-as, --auth-client, --auth-lab, --auth-tool and " +
				"--auth-upstream require --auth"}
		}
		return nil, nil
	}
	if in.AuthUpstream != "" && (!in.AuthLab || !conform.Local("http://"+in.AuthUpstream)) {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("--auth-upstream %s: expected a loopback or private address "+
			"with a port, together with --auth-lab", in.AuthUpstream), Hint: "such as {--auth-upstream} 127.0.0.1:9000"}
	}
	if len(in.AuthAs) > 2 {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("--auth-as: expected at most 2 users, got %d",
			len(in.AuthAs))}
	}
	o := &conform.AuthOptions{Lab: in.AuthLab, Tool: in.AuthTool, Client: in.AuthClient, Upstream: in.AuthUpstream, Browse: func(ctx context.Context, address string) error {
		w.Event(workbench.Event{Notice: "sign in to continue: " + address})
		if w.Browse != nil {
			_ = w.Browse(ctx, address) // the user can open the URL anywhere on this machine
		}
		return nil
	}}
	if w.Secrets != nil {
		o.Secret = w.Secrets.Add
	}
	for i, given := range in.AuthAs {
		if given == asSignIn && i == 0 {
			o.As = append(o.As, conform.Identity{SignIn: true})
			continue
		}
		if given == asSignIn {
			return nil, &workbench.UsageError{Message: "--auth-as sign-in must be the first user",
				Hint: "pass the token of the second user with {--auth-as} @FILE or {--auth-as} '$VAR'"}
		}
		token, err := signin.Secret(w, "--auth-as", given)
		if err != nil {
			return nil, err
		}
		if w.Secrets != nil {
			w.Secrets.Add(token)
		}
		o.As = append(o.As, conform.Identity{Token: strings.TrimPrefix(token, "Bearer ")})
	}
	return o, nil
}

// checkAuthTarget rejects targets for which checks of authorization make no sense or are not allowed.
func checkAuthTarget(o *conform.AuthOptions, t wire.Target) error {
	switch {
	case o == nil:
		return nil
	case t.URL == "":
		return &workbench.UsageError{Message: fmt.Sprintf("--auth requires the URL of a server; %s does not use HTTP",
			t)}
	case o.Lab && !conform.Local(t.URL):
		return &workbench.UsageError{Message: fmt.Sprintf("--auth-lab is only for local and test servers; %s has no "+
			"loopback or private address", t), Hint: "run it without {--auth-lab}"}
	}
	return nil
}

// notTried lists the checks of authorization that were not run, by reason.
func notTried(t *workbench.Text, o *conform.Outcome) {
	var reasons []string
	rules := map[string][]string{}
	for _, r := range o.Report.Results {
		if r.Skipped == "" || r.Rule == "" {
			continue
		}
		if rules[r.Skipped] == nil {
			reasons = append(reasons, r.Skipped)
		}
		rules[r.Skipped] = append(rules[r.Skipped], r.Rule)
	}
	t.Line(fmt.Sprintf("%s sent", workbench.Plural(o.Requests, "request")))
	if len(reasons) > 0 {
		t.Line("not tried:")
	}
	for _, reason := range reasons {
		t.Fill(2, strings.Join(rules[reason], ", ")+": "+reason)
	}
}
