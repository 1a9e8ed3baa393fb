//go:build !linux

package wire

import "os/exec"

// children represents the children of this process, which adopts nothing on this system.
var children childRegistry

type childRegistry struct{}

func (childRegistry) start(cmd *exec.Cmd, _ bool) error { return cmd.Start() }

func (childRegistry) ended(*exec.Cmd) {}

func (childRegistry) killOrphans() {}

func forceSupervisor(*exec.Cmd, bool) {}
