// Package supervise is the process between mcptest and a server that it starts: it adopts the server's descendants,
// and ends all of them when the server or mcptest exits, even if mcptest is killed.
//
// The supervisor is mcptest itself, started with [Command] as its first argument. It runs when this package is
// initialized, before the packages that a supervisor does not need: every server is started through it, so its own
// start delays each of them. For the same reason this package imports little of the standard library and nothing else;
// path/filepath, for one, is initialized after a hundred others.
package supervise

import "time"

// Command is the first argument that makes a program that imports this package a supervisor.
const Command = "__supervise"

// The modes. One of them may precede the command, which is an absolute path.
const (
	// Linger waits for the descendants of the child.
	Linger = "linger"
	// Leave does not end the descendants of the child, except for its process group.
	Leave = "leave"
	// Relay is for a parent that only passes bytes on. The child has the limits of the user, keeps its descendants
	// when it exits, and sees the end of its input when the parent is killed: only then, and step by step, are all
	// of them ended.
	Relay = "relay"
)

// What the parent writes to the lifeline.
const (
	// Terminate asks to terminate the child.
	Terminate = 't'
	// Release makes the supervisor end the child by itself, step by step. After it, the end of the lifeline has no
	// effect.
	Release = 'r'
	// Signal is added to a signal number: the supervisor sends that signal to the child.
	Signal = 0x80
)

// CloseGrace is how long each step of ending a server may take: first its input is closed, then it is asked to
// terminate, then it is killed, and finally its supervisor is killed.
const CloseGrace = 2 * time.Second

// LingerTimeout is how long descendants of an exited server may take to exit by themselves, if that is checked.
const LingerTimeout = 3 * time.Second
