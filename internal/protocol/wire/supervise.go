package wire

import "time"

// superviseTerminate is the byte on the lifeline that asks the supervisor to terminate the child.
const superviseTerminate = 't'

// superviseRelease is the byte on the lifeline after which the supervisor ends the child by itself, step by
// step. After it, the end of the lifeline has no effect.
const superviseRelease = 'r'

// superviseLinger precedes the command of a supervisor that must wait for the descendants of the child. A
// command is an absolute path.
const superviseLinger = "linger"

// superviseLeave precedes the command of a supervisor that does not end the descendants of the child, except
// for its process group.
const superviseLeave = "leave"

// superviseRelay precedes the command of a supervisor whose parent only passes bytes on. The child has the limits
// of the user, keeps its descendants when it exits, and sees the end of its input when the parent is killed: only
// then, and step by step, are all of them ended.
const superviseRelay = "relay"

// superviseSignal is added to a signal number on the lifeline: the supervisor sends that signal to the child.
const superviseSignal = 0x80

// Linger is how long descendants of an exited server may take to exit by themselves, if that is checked.
const Linger = 3 * time.Second
