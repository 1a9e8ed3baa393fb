// Package cputime tells tests how much processor time they have used. Unlike the clock on the wall it does not count what
// others do on the machine meanwhile, so that a bound on it means the same on a busy one.
package cputime
