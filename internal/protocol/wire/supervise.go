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

// Linger is how long descendants of an exited server may take to exit by themselves, if that is checked.
const Linger = 3 * time.Second
