package wire

// An Activity is what a process does with the frames sent to it.
type Activity int

// The activities. A process that has not read its input is still starting, or never reads it.
const (
	ActivityUnknown Activity = iota // it cannot be observed
	NotReading                      // it has not read all frames
	Busy                            // it has read all frames and uses CPU time
	Sleeping                        // it has read all frames and waits for something other than input
	AwaitingInput                   // it has read all frames and waits for more
)

// String describes the activity for an error message.
func (a Activity) String() string {
	switch a {
	case NotReading:
		return "it has not read its stdin"
	case Busy:
		return "it has read its stdin and is busy"
	case Sleeping, AwaitingInput:
		return "it has read its stdin and is idle"
	}
	return ""
}
