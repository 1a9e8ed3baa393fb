package mcpserver_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// mcptest serve is itself a correct server, in each revision.
func TestOwnConformance(t *testing.T) {
	t.Parallel()
	target := wire.Target{Name: "mcptest serve", Command: []string{self(), "serve"},
		Env: []string{asMcptest + "=1", "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}}
	out, err := conform.Run(context.Background(), target,
		&conform.Options{Protocol: conform.All, Timeout: 20 * time.Second, Within: 5 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Revisions) != 5 {
		t.Errorf("judged by %q, want all five revisions", out.Revisions)
	}
	for _, r := range out.Report.Results {
		if r.Broken != "" || len(r.Findings) > 0 {
			t.Errorf("%s: %s%+v", r.Rule, r.Broken, r.Findings)
		}
	}
}

// A found is what a finding says, without where it was seen.
type found struct {
	Rule, Severity, Message string
	Where                   struct{ Subject, Pointer string }
}

// The command line and the assistant's tool find the same.
func TestConformanceIsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	flawed, _ := demo.Lookup("demo-flawed")
	handler, stop := flawed.Handler()
	server := httptest.NewServer(handler)
	t.Cleanup(func() { stop(); server.Close() })
	u := newUser(t)
	const rules = "TOOL,RES,PROMPT,WIRE"
	out, err := u.command("conform", server.URL, "--rules", rules, "--json").Output()
	if len(out) == 0 {
		t.Fatalf("mcptest conform: %v", err)
	}
	onTheCommandLine := findings(t, out)
	c := u.stdio("2026-07-28", "--allow-private")
	c.call("connect_to_server", `{"url":"`+server.URL+`"}`).ok()
	a := c.call("check_conformance", `{"connection":"main","rules":["`+rules+`"],"verbosity":"full"}`).ok()
	forTheAssistant := findings(t, []byte(a.at("/report")))
	if diff := cmp.Diff(onTheCommandLine, forTheAssistant); diff != "" || len(onTheCommandLine) == 0 {
		t.Errorf("%d findings on the command line; for the assistant (-command line +assistant):\n%s",
			len(onTheCommandLine), diff)
	}
	if got, want := rulesOf(t, []byte(a.at("/report"))), brokenBy(forTheAssistant); !cmp.Equal(got, want) {
		t.Errorf("the answer explains %v, want the rules with findings alone: %v", got, want)
	}
	if a.at("/failed") != "true" {
		t.Errorf("failed = %s, want true", a.at("/failed"))
	}
	if c.progress.await(1) == 0 {
		t.Error("no progress was told")
	}
}

// rulesOf is the set of rules that a report explains.
func rulesOf(t *testing.T, report []byte) map[string]bool {
	t.Helper()
	var r struct{ Rules []struct{ ID string } }
	if err := json.Unmarshal(report, &r); err != nil {
		t.Fatalf("%v in %.300s", err, report)
	}
	all := map[string]bool{}
	for _, rule := range r.Rules {
		all[rule.ID] = true
	}
	return all
}

func brokenBy(all []found) map[string]bool {
	rules := map[string]bool{}
	for _, f := range all {
		rules[f.Rule] = true
	}
	return rules
}

func findings(t *testing.T, report []byte) []found {
	t.Helper()
	var r struct{ Results []struct{ Findings []found } }
	if err := json.Unmarshal(report, &r); err != nil {
		t.Fatalf("%v in %.300s", err, report)
	}
	var all []found
	for _, result := range r.Results {
		all = append(all, result.Findings...)
	}
	return all
}
