package wire

// A Usage is what a process and all that it started take of the machine.
type Usage struct {
	Memory  int64 // resident bytes
	Handles int   // open files, pipes and sockets
}
