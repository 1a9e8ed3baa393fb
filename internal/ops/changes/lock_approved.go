package changes

import (
	"encoding/json"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// An Approved is a definition that was approved elsewhere, such as at a gateway.
type Approved struct {
	Server     string
	Kind       string // tool, prompt or instructions
	Name       string
	Definition json.RawMessage
	By         string
	At         time.Time
	Reason     string
}

// Approver is the current user, as in approvals.
func Approver(w *workbench.Workbench) string { return approvalNow(w, time.Now()).By }

// LockApproved writes approved definitions to a lock file, which is created if it does not exist.
func LockApproved(w *workbench.Workbench, file string, all []Approved) error {
	l, err := ReadLock(w, file, true)
	if err != nil {
		return err
	}
	for _, a := range all {
		s := l.Servers[a.Server]
		if s == nil {
			s = &lockServer{}
			l.Servers[a.Server] = s
		}
		if err := s.approve(a); err != nil {
			return err
		}
	}
	_, err = writeLockFile(w, file, l)
	return err
}

func (s *lockServer) approve(a Approved) error {
	approval := lockApproval{By: a.By, At: a.At.UTC().Format(time.RFC3339), Reason: a.Reason}
	entry := lockEntry{Hash: change.Hash(a.Definition), Approved: approval, Definition: a.Definition}
	switch a.Kind {
	case change.ToolItem:
		if s.Tools == nil {
			s.Tools = map[string]lockEntry{}
		}
		s.Tools[a.Name] = entry
	case change.PromptItem:
		if s.Prompts == nil {
			s.Prompts = map[string]lockEntry{}
		}
		entry.Text = s.Prompts[a.Name].Text // a gateway does not read it
		s.Prompts[a.Name] = entry
	default:
		s.Instructions = &lockText{Approved: approval}
		return json.Unmarshal(a.Definition, &s.Instructions.Text)
	}
	return nil
}
