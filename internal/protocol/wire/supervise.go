package wire

// superviseTerminate is the byte on the lifeline that asks the supervisor to terminate the child.
const superviseTerminate = 't'
