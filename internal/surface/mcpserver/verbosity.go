package mcpserver

import "cmp"

// A verbosity is how much a result contains. Every one has the fields that callers rely on.
type verbosity string

// The verbosities. The zero value is normal.
const (
	brief  verbosity = "brief"  // long texts are shortened, schemas are outlines
	normal verbosity = "normal" // everything once; what is very large is cut
	full   verbosity = "full"   // also the raw data, as large as a message may be
)

// normalLimit is the maximum number of bytes of a server's data in a result, unless all of it is requested: hosts cut
// or reject results that are much larger.
const normalLimit = 40_000

// limit returns the maximum number of bytes of a server's data.
func (v verbosity) limit() int {
	if v == full {
		return maxResponseBytes
	}
	return normalLimit
}

// textLimit returns the maximum length of a text in a result that is cut.
func (v verbosity) textLimit() int {
	return map[verbosity]int{brief: 500, normal: 8_000, full: 8_000}[cmp.Or(v, normal)]
}
