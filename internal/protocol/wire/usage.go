package wire

// A Usage is the resource usage of a process and its descendants.
type Usage struct {
	Memory    int64 // resident bytes
	Handles   int   // open files, pipes and sockets
	Processes int   // that are running: not those that only wait for their parent
}
