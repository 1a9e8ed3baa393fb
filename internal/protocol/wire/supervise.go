package wire

import "time"

// superviseTerminate is the byte on the lifeline that asks the supervisor to terminate the child.
const superviseTerminate = 't'

// superviseRelease is the byte on the lifeline after which the supervisor ends the child by itself, step by step. The end
// of the lifeline means nothing after it.
const superviseRelease = 'r'

// superviseLinger stands before the command of a supervisor that is to wait for what the child leaves behind. A command is an
// absolute path.
const superviseLinger = "linger"

// superviseLeave stands there for a supervisor that leaves what the child has left, but for its process group.
const superviseLeave = "leave"

// Linger is how long what a server left behind may take to end by itself, where that is watched.
const Linger = 3 * time.Second
