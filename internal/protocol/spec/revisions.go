package spec

import "slices"

// The IDs of the revisions. No other package contains these dates: it uses these names, or better the properties of a
// Revision.
const (
	November2024 = "2024-11-05"
	March2025    = "2025-03-26"
	June2025     = "2025-06-18"
	November2025 = "2025-11-25"
	July2026     = "2026-07-28"
)

// Draft2024 is the ID of a draft that published servers use.
const Draft2024 = "2024-10-07"

// The newest revision of each era.
const (
	NewestLegacy = November2025
	NewestModern = July2026
)

// revisions are the final revisions, oldest first. A new revision is a new row: each row is complete, so that nothing
// is inherited without a decision.
var revisions = []Revision{
	{ID: November2024, Era: Legacy, Dialect: Draft07},
	{ID: March2025, Era: Legacy, Dialect: Draft07, Tool: Tool{Annotations: true},
		Audio: true, Batches: true, Completions: true, StreamableHTTP: true},
	{ID: June2025, Era: Legacy, Dialect: Draft07,
		Tool:   Tool{Annotations: true, Title: true, OutputSchema: ObjectOutput},
		Titles: true, Audio: true, Links: true, Completions: true, StreamableHTTP: true, VersionHeader: true,
		Elicitation: FormElicitation},
	{ID: November2025, Era: Legacy, Dialect: Draft2020_12, Tool: Tool{
		Annotations: true, Title: true, OutputSchema: ObjectOutput, Icons: true, Execution: true, NameRules: true},
		Titles: true, Audio: true, Links: true, Completions: true, StreamableHTTP: true, VersionHeader: true,
		OriginStatus: true, WellKnownAuth: true, Elicitation: FormURLElicitation, CoreTasks: true,
		ErrorsWithoutID: true},
	{ID: July2026, Era: Modern, Dialect: Draft2020_12, Tool: Tool{
		Annotations: true, Title: true, OutputSchema: AnyOutput, Icons: true, NameRules: true, AnyInput: true,
		Headers: true},
		Titles: true, Audio: true, Links: true, Completions: true, StreamableHTTP: true, VersionHeader: true,
		OriginStatus: true, WellKnownAuth: true, Elicitation: FormURLElicitation, ErrorsWithoutID: true},
}

// Revisions lists the final revisions, oldest first.
func Revisions() []Revision { return slices.Clone(revisions) }
