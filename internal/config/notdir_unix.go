//go:build !windows

package config

import "syscall"

// errNotDirectory is the error of reading .cursor/mcp.json if .cursor is a file.
var errNotDirectory error = syscall.ENOTDIR
