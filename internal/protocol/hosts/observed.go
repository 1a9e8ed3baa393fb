package hosts

// An Observed is what a host did when it was run, beyond the conversion of tools. Each text describes what was seen.
type Observed struct {
	Requests     []string     `json:"requests"`         // revisions of the protocol, in the order of the requests
	Pages        int          `json:"pages,omitempty"`  // of tools/list that it reads; 0 for all
	Search       string       `json:"search,omitempty"` // the tool search that the model uses instead of a list of tools
	ListChanged  bool         `json:"list_changed"`     // reads the list again after a notification
	Instructions Instructions `json:"instructions"`
	Noise        string       `json:"noise"` // what a line on stdout does that is not a message
	Start        string       `json:"start"` // how long it waits for a server
	Call         string       `json:"call"`  // how long it waits for a result
	Result       Result       `json:"result"`
}

// Instructions are what the model gets of the instructions of a server.
type Instructions struct {
	Shown bool   `json:"shown"`
	Max   int    `json:"max,omitempty"` // characters; 0 for no limit
	Where string `json:"where,omitempty"`
}

// A Result is how the content of a result reaches the model.
type Result struct {
	Texts      string `json:"texts"` // several blocks of text
	Image      string `json:"image"`
	Audio      string `json:"audio"`
	Structured string `json:"structured"` // structuredContent alone
	Both       string `json:"both"`       // text and structuredContent
	Link       string `json:"link"`       // a resource_link
	Embedded   string `json:"embedded"`   // an embedded resource with text
	Error      string `json:"error"`      // a result with isError
	Long       Long   `json:"long"`
}

// A Long is what a host does with a result that is longer than it accepts. Only some lengths were tried: between Whole
// and Cut it is unknown.
type Long struct {
	Whole int    `json:"whole,omitempty"` // the longest text that was seen whole, in characters
	Cut   int    `json:"cut,omitempty"`   // the shortest that was not; 0 if none was
	Kept  int    `json:"kept,omitempty"`  // characters of a long text that reach the model
	How   string `json:"how"`
}

// ObservedOf returns what a host did when it was run, if it was.
func ObservedOf(id string) (Observed, bool) {
	o, ok := observations[id]
	return o, ok
}
