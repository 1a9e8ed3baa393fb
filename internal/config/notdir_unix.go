//go:build !windows

package config

import "syscall"

// errNotDirectory is what reading .cursor/mcp.json gives when .cursor is a file.
var errNotDirectory error = syscall.ENOTDIR
