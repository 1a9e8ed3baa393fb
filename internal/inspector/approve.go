package inspector

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// mayReach resolves an entry and checks that it may be started: it was given on the command line, or exactly
// this command was approved on the page.
func (i *Inspector) mayReach(e *entry) (*target.Resolved, error) {
	if missing := e.shown.Missing; len(missing) > 0 {
		return nil, view.Usage("%s requires the value of %s, which was not stored", e.shown.Name,
			strings.Join(missing, ", ")).WithHint("enter it again")
	}
	found, err := e.resolve()
	if err != nil {
		return nil, err
	}
	if !needsApproval(found) || e.given {
		return found, nil
	}
	a, err := i.approval(e, found)
	if err != nil {
		return nil, err
	}
	if !a.Approved {
		what := "starts a program"
		if a.URL != "" {
			what = "gets environment variables from a config file"
		}
		return nil, &view.Problem{Kind: view.KindApproval,
			Message: fmt.Sprintf("%s %s that you have not approved", e.shown.Name,
				what),
			Hint: "review what would be started or sent, and approve it", Approval: a}
	}
	return found, nil
}

// needsApproval reports whether the user has to approve a listed server before it is used: it starts a program,
// or a config file passes environment variables to a URL.
func needsApproval(found *target.Resolved) bool {
	return len(found.Target.Command) > 0 || target.Needed(found) && len(found.Takes) > 0
}

// approval returns what would be started or sent; nil if the server needs no approval.
func (i *Inspector) approval(e *entry, found *target.Resolved) (*view.Approval, error) {
	if !needsApproval(found) {
		return nil, nil
	}
	a := &view.Approval{Argv: cleanAll(found.Secrets, found.Target.Command), Cwd: found.Target.Dir,
		Env: append([]string{}, found.EnvNames...), Approved: e.given,
		URL: redact.URL(found.Target.URL), Headers: target.HeaderNames(found), Takes: found.Takes,
		Lines: []target.PermissionLine{}}
	if a.Cwd == "" {
		a.Cwd = i.bench.System.Dir
	}
	if len(found.Target.Command) > 0 {
		a.Warnings = warnings(found.Target.Command)
	}
	if i.approvals == nil {
		return a, nil
	}
	permission := i.approvals.Permission(e.shown.Name, found)
	a.What, a.Lines = permission.What(), permission.Lines()
	var err error
	if a.Hash, err = i.approvals.Hash(found); err != nil {
		return a, err
	}
	if len(found.Target.Command) > 0 {
		if a.Program, err = i.approvals.Program(found); err != nil {
			return a, err
		}
	}
	approved, err := i.approvals.Approved(found)
	a.Approved = a.Approved || approved
	return a, err
}

// warnings returns what the user should notice about a command before approving it.
func warnings(argv []string) []string {
	var all []string
	words := strings.Join(argv, " ")
	program := strings.TrimSuffix(strings.ToLower(filepath.Base(argv[0])), ".exe")
	switch program {
	case "sudo", "doas", "su", "pkexec", "runas":
		all = append(all, program+" runs it with the permissions of another user")
	case "sh", "bash", "zsh", "dash", "fish", "cmd", "powershell", "pwsh":
		all = append(all, program+" executes its arguments as code")
	case "rm", "dd", "mkfs", "shutdown":
		all = append(all, program+" is not a server")
	case "docker", "podman":
		if strings.Contains(words, "--privileged") || strings.Contains(words, " /:") || strings.Contains(words, "=/:") {
			all = append(all, "the container can modify this machine")
		}
	}
	if strings.Contains(words, "curl ") || strings.Contains(words, "wget ") {
		all = append(all, "it downloads from the network and may run the download")
	}
	if program == "npx" || program == "uvx" || program == "bunx" || program == "pipx" {
		all = append(all, program+" may install a package and run it")
	}
	return all
}

// Approve stores the user's approval for exactly this command: the program of a server as it is now.
func (i *Inspector) Approve(hash string) (view.Server, error) {
	e, found, err := i.byHash(hash)
	if err != nil {
		return view.Server{}, err
	}
	if err := i.approvals.Approve(found); err != nil {
		return view.Server{}, err
	}
	i.notifyServers()
	return i.show(e), nil
}

// Revoke revokes an approval. Open connections stay open.
func (i *Inspector) Revoke(hash string) error {
	_, found, err := i.byHash(hash)
	if err != nil {
		return err
	}
	if err := i.approvals.Revoke(found); err != nil {
		return err
	}
	i.notifyServers()
	return nil
}

func (i *Inspector) byHash(hash string) (*entry, *target.Resolved, error) {
	entries, _ := i.entries()
	for _, e := range entries {
		found, err := e.resolve()
		if err != nil || !needsApproval(found) || i.approvals == nil {
			continue
		}
		if own, err := i.approvals.Hash(found); err == nil && own == hash {
			return e, found, nil
		}
	}
	return nil, nil, view.NotFound("no server matches this approval hash").WithHint("it has changed since; review it " +
		"again")
}
