//go:build !linux

package wire

import "os/exec"

// kin stands for the children of this process, which adopts nothing here.
var kin family

type family struct{}

func (family) start(cmd *exec.Cmd, _ bool) error { return cmd.Start() }

func (family) ended(*exec.Cmd) {}

func (family) endAdopted() {}

func forceSupervisor(*exec.Cmd, bool) {}
