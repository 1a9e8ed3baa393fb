package spec

// An Era is one of the two ways in which client and server exchange their capabilities. The empty era is unknown.
type Era string

// The eras.
const (
	Legacy Era = "legacy" // a handshake, then a session
	Modern Era = "modern" // every request carries its own metadata
)

// EraOf returns the era of a revision. Revisions are dates, so an unknown one also has an era.
func EraOf(id string) Era { return of(id).Era }
