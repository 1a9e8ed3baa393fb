package cli

import (
	"context"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
)

// promptUnion prompts for the variant of a union, and then for its value.
func (d *dialog) promptUnion(ctx context.Context, f *arguments.Field, begin arguments.Value,
	path string) (arguments.Value, error) {
	d.describe(f)
	for i := range f.Variants {
		d.say("  %d. %s", i+1, oneLine(f.Variants[i].Label))
	}
	for {
		line, err := d.prompt(ctx, "%s variant%s:", heading(f, path), chosenVariant(begin))
		if err != nil {
			return begin, err
		}
		n, notNumber := strconv.Atoi(line)
		switch {
		case line == "" && begin.State != arguments.Set && !f.Required, line == "-" && !f.Required:
			return arguments.Value{}, nil
		case line == "" && begin.State != arguments.Set || line == "-":
			d.say("✗ %s is required", oneLine(f.Name))
			continue
		case line == "":
			return begin, nil
		case line == "null" && f.Nullable:
			return arguments.Value{State: arguments.Null}, nil
		case notNumber != nil || n < 1 || n > len(f.Variants):
			d.say("✗ enter a number from 1 to %d", len(f.Variants))
			continue
		}
		inner, err := d.promptField(ctx, &f.Variants[n-1], arguments.Value{}, path)
		variants := make([]arguments.Value, n)
		variants[n-1] = inner
		return arguments.Value{State: arguments.Set, Variant: n - 1, Variants: variants}, err
	}
}

// promptVariant prompts for the variant of the whole input, and returns its form.
func (d *dialog) promptVariant(ctx context.Context, form *arguments.Form) (*arguments.Form, error) {
	if len(form.Variants) == 0 {
		return form, nil
	}
	for i := range form.Variants {
		d.say("  %d. %s", i+1, oneLine(form.Variants[i].Label))
	}
	for {
		line, err := d.prompt(ctx, "Variant:")
		if err != nil {
			return nil, err
		}
		if n, notNumber := strconv.Atoi(line); notNumber == nil && n >= 1 && n <= len(form.Variants) {
			chosen, _ := form.Chosen(arguments.Value{Variant: n - 1})
			return chosen, nil
		}
		d.say("✗ enter a number from 1 to %d", len(form.Variants))
	}
}

// chosenVariant shows the number that Enter keeps.
func chosenVariant(begin arguments.Value) string {
	if begin.State != arguments.Set {
		return ""
	}
	return " [" + strconv.Itoa(begin.Variant+1) + "]"
}
