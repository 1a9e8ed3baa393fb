// Package cputime reports to tests how much CPU time they have used. Unlike wall-clock time, it does not include the
// load of other processes, so a limit means the same on a busy machine.
package cputime
