//go:build !linux

package wire

import "os/exec"

// kin represents the children of this process, which adopts nothing on this system.
var kin family

type family struct{}

func (family) start(cmd *exec.Cmd, _ bool) error { return cmd.Start() }

func (family) ended(*exec.Cmd) {}

func (family) endAdopted() {}

func forceSupervisor(*exec.Cmd, bool) {}
