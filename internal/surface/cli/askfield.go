package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
)

// promptField prompts for one field; begin is its current value.
func (d *dialog) promptField(ctx context.Context, f *arguments.Field, begin arguments.Value,
	path string) (arguments.Value,
	error) {
	switch f = f.Shape(); f.Kind {
	case arguments.KindNull:
		return begin, nil
	case arguments.KindUnion:
		return d.promptUnion(ctx, f, begin, path)
	case arguments.KindObject, arguments.KindTuple:
		return d.promptObject(ctx, f, begin, path)
	case arguments.KindList, arguments.KindRows:
		return d.promptItems(ctx, f, begin, path)
	}
	d.describe(f)
	for {
		line, err := d.prompt(ctx, "%s", heading(f, path)+currentValue(begin)+":")
		if err != nil {
			return begin, err
		}
		v, again := single(f, begin, line)
		if again == nil {
			return v, nil
		}
		d.say("✗ %s", oneLine(again.Message))
	}
}

// promptFields prompts for each field of an object or a tuple.
func (d *dialog) promptFields(ctx context.Context, of *arguments.Field, begun []arguments.Value,
	path string) ([]arguments.Value, error) {
	var values []arguments.Value
	for i := range of.Fields {
		f := &of.Fields[i]
		v, err := d.promptField(ctx, f, defaultValue(begun, f.Name), of.Inner(path, oneLine(f.Name)))
		if err != nil {
			return nil, err
		}
		v.Name = f.Name
		values = append(values, v)
	}
	return values, nil
}

// single converts a typed line to a value.
func single(f *arguments.Field, begin arguments.Value, line string) (arguments.Value, *arguments.FieldError) {
	switch {
	case line == "" && f.Required && (begin.State == arguments.Unset || begin.State == ""):
		return begin, &arguments.FieldError{Field: f.Name,
			Message: f.Name + ` is required (enter "" for an empty string)`}
	case line == "":
		return begin, nil
	case line == "-" && !f.Required:
		return arguments.Value{}, nil
	case line == "null" && f.Nullable:
		return arguments.Value{State: arguments.Null}, nil
	case line == `""` && f.Kind == arguments.KindString:
		line = ""
	case f.Kind == arguments.KindEnum:
		line = pick(f, line)
	}
	if _, err := arguments.Convert(f, line); err != nil {
		return begin, err
	}
	return arguments.Value{State: arguments.Set, Text: line}, nil
}

// pick also lets the user choose an enum value by its number.
func pick(f *arguments.Field, line string) string {
	for _, o := range f.Options {
		if o.Text == line {
			return line
		}
	}
	if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(f.Options) {
		return f.Options[n-1].Text
	}
	return line
}

// describe shows the description of a field, and its options.
func (d *dialog) describe(f *arguments.Field) {
	if f.Description != "" {
		d.quote(f.Description)
	}
	for i, o := range f.Options {
		d.say("  %d. %s", i+1, oneLine(o.Title))
	}
}

// heading returns the name of a field and its type.
func heading(f *arguments.Field, path string) string {
	head := path + " (" + string(f.Kind)
	if f.Required {
		head += ", required"
	}
	if f.Nullable {
		head += ", may be null"
	}
	return head + ")"
}

// currentValue shows the value that Enter keeps.
func currentValue(begin arguments.Value) string {
	switch begin.State {
	case arguments.Set:
		return " [" + oneLine(begin.Text) + "]"
	case arguments.Raw:
		return " [" + oneLine(begin.JSON) + "]"
	case arguments.Null:
		return " [null]"
	}
	return ""
}

func (d *dialog) promptObject(ctx context.Context, f *arguments.Field, begin arguments.Value,
	path string) (arguments.Value, error) {
	d.describe(f)
	d.say("%s", heading(f, path))
	if !f.Required {
		yes, err := d.confirm(ctx, begin.State == arguments.Set, path+": set this field?")
		if err != nil || !yes {
			return arguments.Value{}, err
		}
	}
	items, err := d.promptFields(ctx, f, begin.Items, path)
	return arguments.Value{State: arguments.Set, Items: items}, err
}

// promptItems prompts for items until the user has no more.
func (d *dialog) promptItems(ctx context.Context, f *arguments.Field, begin arguments.Value,
	path string) (arguments.Value,
	error) {
	d.describe(f)
	d.say("%s", heading(f, path))
	list := begin
	if n := len(list.Items); n > 0 {
		anew, err := d.confirm(ctx, false, fmt.Sprintf("%s already has %d items. Start over?", path, n))
		if err != nil {
			return list, err
		}
		if anew {
			list.Items = nil
		}
	}
	for {
		at := path + "[" + strconv.Itoa(len(list.Items)) + "]"
		more, err := d.confirm(ctx, false, at+": add another item?")
		if err != nil {
			return list, err
		}
		if !more {
			break
		}
		item, err := d.promptItem(ctx, f, at)
		if err != nil {
			return list, err
		}
		list.State, list.Items = arguments.Set, append(list.Items, item)
	}
	if f.Required {
		list.State = arguments.Set
	}
	return list, nil
}

func (d *dialog) promptItem(ctx context.Context, f *arguments.Field, at string) (arguments.Value, error) {
	if f.Kind != arguments.KindRows {
		item := *f.Items
		item.Required = true // an added item has a value
		return d.promptField(ctx, &item, arguments.Value{}, at)
	}
	items, err := d.promptFields(ctx, f, nil, at)
	return arguments.Value{State: arguments.Set, Items: items}, err
}
