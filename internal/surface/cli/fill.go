package cli

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
)

// fill asks for the fields of a form one by one and returns the arguments.
func (d *dialog) fill(ctx context.Context, inputSchema json.RawMessage) (json.RawMessage, error) {
	form := arguments.Model(inputSchema)
	if form.Mode == arguments.ModeJSON {
		d.say("There is no form for it (%s).", form.Reason)
		return d.askJSON(ctx)
	}
	if len(form.Fields) == 0 {
		return json.RawMessage(`{}`), nil
	}
	d.say(`Enter leaves a field as it is shown; "" is empty text, null is null, - leaves it out.`)
	start := form.Start()
	values, err := d.askFields(ctx, form.Fields, start.Items, "")
	if err != nil {
		return nil, err
	}
	raw, wrong := form.Encode(arguments.Value{State: arguments.Set, Items: values})
	for _, e := range wrong {
		d.say("✗ %s", e.Message)
	}
	if len(wrong) > 0 {
		return d.fill(ctx, inputSchema)
	}
	return raw, nil
}

func (d *dialog) askJSON(ctx context.Context) (json.RawMessage, error) {
	for {
		line, err := d.ask(ctx, "Arguments as JSON:")
		if err != nil {
			return nil, err
		}
		if json.Valid([]byte(line)) {
			return json.RawMessage(line), nil
		}
		d.say("✗ that is not JSON")
	}
}

// askFields asks for each field; started holds what the form shows before anything is typed.
func (d *dialog) askFields(ctx context.Context, fields []arguments.Field, started []arguments.Value, path string) ([]arguments.Value, error) {
	var values []arguments.Value
	for i := range fields {
		f := &fields[i]
		begin := arguments.Value{Name: f.Name}
		for _, v := range started {
			if v.Name == f.Name {
				begin = v
			}
		}
		v, err := d.askField(ctx, f, begin, path+f.Name)
		if err != nil {
			return nil, err
		}
		v.Name = f.Name
		values = append(values, v)
	}
	return values, nil
}

func (d *dialog) askField(ctx context.Context, f *arguments.Field, begin arguments.Value, path string) (arguments.Value, error) {
	switch f.Kind {
	case arguments.KindNull:
		return begin, nil
	case arguments.KindObject:
		return d.askObject(ctx, f, begin, path)
	case arguments.KindList, arguments.KindRows:
		return d.askItems(ctx, f, begin, path)
	}
	for {
		line, err := d.ask(ctx, "%s", question(f, begin, path))
		if err != nil {
			return begin, err
		}
		v, again := single(f, begin, line)
		if again == nil {
			return v, nil
		}
		d.say("✗ %s", again.Message)
	}
}

// single makes a value of a typed line.
func single(f *arguments.Field, begin arguments.Value, line string) (arguments.Value, *arguments.FieldError) {
	switch {
	case line == "" && f.Required && begin.State != arguments.Set:
		return begin, &arguments.FieldError{Field: f.Name, Message: f.Name + ` is required ("" is empty text)`}
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

// pick lets a person choose from an enum by its number, too.
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

// question names a field, its type and what it holds now.
func question(f *arguments.Field, begin arguments.Value, path string) string {
	var b strings.Builder
	if f.Description != "" {
		b.WriteString("  " + f.Description + "\n")
	}
	for i, o := range f.Options {
		b.WriteString("  " + strconv.Itoa(i+1) + ". " + o.Title + "\n")
	}
	b.WriteString(path + " (" + string(f.Kind))
	if f.Required {
		b.WriteString(", required")
	}
	if f.Nullable {
		b.WriteString(", may be null")
	}
	b.WriteString(")")
	if begin.State == arguments.Set {
		b.WriteString(" [" + begin.Text + "]")
	}
	return b.String() + ":"
}

func (d *dialog) askObject(ctx context.Context, f *arguments.Field, begin arguments.Value, path string) (arguments.Value, error) {
	if !f.Required {
		yes, err := d.confirm(ctx, "%s: set it?", path)
		if err != nil || !yes {
			return arguments.Value{}, err
		}
	}
	items, err := d.askFields(ctx, f.Fields, begin.Items, path+".")
	return arguments.Value{State: arguments.Set, Items: items}, err
}

// askItems asks for items until the person has no more.
func (d *dialog) askItems(ctx context.Context, f *arguments.Field, begin arguments.Value, path string) (arguments.Value, error) {
	list := begin
	for {
		at := path + "[" + strconv.Itoa(len(list.Items)) + "]"
		more, err := d.confirm(ctx, "%s: add an item?", at)
		if err != nil {
			return list, err
		}
		if !more {
			break
		}
		item := arguments.Value{State: arguments.Set}
		if f.Kind == arguments.KindRows {
			item.Items, err = d.askFields(ctx, f.Fields, nil, at+".")
		} else {
			item, err = d.askField(ctx, f.Items, arguments.Value{}, at)
		}
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
