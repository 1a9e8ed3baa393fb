package invoke

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// UnknownTool is the outcome of a call of a tool that does not exist for its caller.
const UnknownTool = "NotFoundError"

// NoteChange records that a caller has changed the catalog, or tried to.
func (v *Invoker) NoteChange(caller, action string, t *catalog.Tool, err error) {
	outcome := string(Success)
	if err != nil {
		outcome = cmp.Or(TypeOf(err), string(Failure))
	}
	r := Record{Time: time.Now(), Action: action, Caller: caller, Server: SanitizeName(t.Server),
		Tool: SanitizeName(t.Name), Version: t.Version, Outcome: outcome}
	r.Arguments, _ = t.MarshalJSON()
	more := []slog.Attr{slog.String("action", action), slog.Int("version", t.Version)}
	if err != nil && TypeOf(err) == "" {
		more = append(more, slog.String("error", err.Error()))
	}
	v.note("catalog change", r, more...)
}

// NoteUnknown records that a caller has called a tool that does not exist, or that it may not use: operators need to
// see these first.
func (v *Invoker) NoteUnknown(i Invocation, name string) {
	r := Record{Time: time.Now(), Caller: i.Caller, Tool: SanitizeName(name), Arguments: i.Arguments,
		Outcome: UnknownTool, Trace: i.Trace}
	v.note("call of unknown tool", r, slog.String("arguments", Shape(i.Arguments)), slog.String("trace", i.Trace))
}

// NoteUnreached records that a caller has called a tool of a server that could not be reached yet, so that the tool is
// unknown.
func (v *Invoker) NoteUnreached(i Invocation, server, name string, err error) {
	r := Record{Time: time.Now(), Caller: i.Caller, Server: server, Tool: SanitizeName(name), Arguments: i.Arguments,
		Outcome: TypeOf(err), Trace: i.Trace}
	v.note("call before the server has listed its tools", r, slog.String("arguments", Shape(i.Arguments)),
		slog.String("trace", i.Trace))
}

// NoteRefused records that a caller has called a tool that is quarantined and that it does not see.
func (v *Invoker) NoteRefused(i Invocation, refused *catalog.QuarantineError) {
	r := Record{Time: time.Now(), Caller: i.Caller, Server: refused.Key.Server, Tool: SanitizeName(refused.Key.Name),
		Arguments: i.Arguments, Outcome: TypeOf(refused), Trace: i.Trace}
	v.note("call of quarantined tool", r, slog.String("reason", refused.Reason),
		slog.String("arguments", Shape(i.Arguments)), slog.String("trace", i.Trace))
}

// NoteQuarantine records that a definition was quarantined, released or approved. The outcome is the reason.
func (v *Invoker) NoteQuarantine(caller, action, kind string, key catalog.Key, definition json.RawMessage,
	outcome string) {
	r := Record{Time: time.Now(), Action: action, Caller: caller, Server: key.Server, Tool: SanitizeName(key.Name),
		Arguments: definition, Outcome: outcome}
	v.note("quarantine", r, slog.String("action", action), slog.String("kind", kind))
}

// NoteApproval records that a caller has approved a definition, or tried to.
func (v *Invoker) NoteApproval(caller string, id catalog.ReviewID, approved []catalog.Review, err error) {
	outcome := string(Success)
	if err != nil {
		outcome = cmp.Or(TypeOf(err), string(Failure))
	}
	var definition json.RawMessage
	for _, r := range approved {
		if r.ID() == id && err == nil {
			definition = r.Approved[0].Definition
		}
	}
	v.NoteQuarantine(caller, "approve", id.Kind, catalog.Key{Server: id.Server, Name: id.Name}, definition, outcome)
}

func (v *Invoker) note(message string, r Record, more ...slog.Attr) {
	if v.Audit != nil {
		v.Audit(r)
	}
	if v.Log == nil {
		return
	}
	tool := catalog.Key{Server: r.Server, Name: r.Tool}.String()
	attributes := []slog.Attr{slog.String("tool", tool), slog.String("caller", r.Caller),
		slog.String("outcome", r.Outcome)}
	v.Log.LogAttrs(context.Background(), slog.LevelInfo, message, append(attributes, more...)...)
}

// maxNote is the maximum length of a recorded name that a client chose.
const maxNote = 128

// SanitizeName is a name in a form that can be recorded: a client may have sent anything.
func SanitizeName(name string) string {
	if plain(name) {
		return name
	}
	return redact.Text(clip.Text(name, maxNote))
}
