package demo

import "encoding/json"

// GuideRows returns the rows of the Tool Testing Guide in the order of the guide.
func GuideRows() []GuideRow {
	var rows []GuideRow
	table := ""
	add := func(tool, row, schema string) {
		rows = append(rows, GuideRow{Tool: tool, Table: table, Row: row, Schema: json.RawMessage(schema)})
	}

	table = "Basic Types"
	add("basic_integer", "integer", required(`{"type":"integer"}`))
	add("basic_number", "number", required(`{"type":"number"}`))
	add("basic_string", "string", required(`{"type":"string"}`))
	add("basic_boolean", "boolean", required(`{"type":"boolean"}`))
	add("basic_null", "null", required(`{"type":"null"}`))

	table = "Type Conversion Rules"
	add("convert_string_to_integer", "String → Integer", required(`{"type":"integer"}`))
	add("convert_number_to_integer", "Number → Integer", required(`{"type":"integer"}`))
	add("convert_string_to_number", "String → Number", required(`{"type":"number"}`))
	add("convert_string_to_boolean", "String → Boolean", required(`{"type":"boolean"}`))

	table = "Array Handling"
	add("array_simple", "Simple Array", required(`{"type":"array","items":{"type":"string"}}`))
	add("array_object", "Object Array", required(
		`{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}`))
	add("array_optional", "Optional Array", optional(`{"type":["array","null"]}`))

	table = "Nested Objects"
	add("nested_single_level", "Single Level", required(`{"type":"object","properties":{"name":{"type":"string"}}}`))
	add("nested_multi_level", "Multi Level", required(`{"type":"object","properties":{"user":{"type":"object",`+
		`"properties":{"name":{"type":"string"},"address":{"type":"object","properties":{"city":{"type":"string"}}}}}}}`))
	add("nested_mixed_types", "Mixed Types", required(`{"type":"object","properties":{"data":{"oneOf":[`+
		`{"type":"string"},{"type":"integer"},{"type":"object","properties":{"k":{"type":"string"}}}]}}}`))

	table = "Optional Fields in Complex Types"
	add("optional_field", "Optional field (any type)", optional(`{"type":"string"}`))
	add("optional_nullable", "Nullable field", optional(`{"type":["string","null"]}`))
	add("optional_empty_array", "Empty array (when set)", optional(`{"type":"array"}`))
	add("optional_empty_object", "Empty object (when set)", optional(`{"type":"object"}`))

	table = "Testing Scenarios and Expected Results for Complex Objects"
	add("scenario_complex_nested", "Complex nested form fields",
		required(`{"type":"object","properties":{"l1":{"type":"object",`+
			`"properties":{"l2":{"type":"object","properties":{"l3":{"type":"object",`+
			`"properties":{"leaf":{"type":"string"}}}}}}}}}`))
	add("scenario_array_manipulation", "Array field manipulation",
		required(`{"type":"array","items":{"type":"string"}}`))
	add("scenario_optional_nested", "Optional nested fields", `{"type":"object","properties":{"o":{"type":"object",`+
		`"properties":{"x":{"type":"string"},"y":{"type":"integer"}}}}}`)
	add("scenario_mixed_array", "Mixed type arrays",
		required(`{"type":"array","items":{"type":["string","integer","boolean"]}}`))
	add("scenario_nullable_vs_optional", "Nullable vs Optional",
		`{"type":"object","properties":{"nullable":{"type":["string","null"]},"optional":{"type":"string"}}}`)
	add("scenario_empty_collections", "Empty collections",
		`{"type":"object","properties":{"arr":{"type":"array","items":{"type":"string"}},"obj":{"type":"object"}}}`)

	table = "Optional Parameters"
	add("parameter_unset", "not set by the user", `{"type":"object","properties":{"name":{"type":"string"}}}`)
	add("parameter_null", "explicitly accepts null",
		`{"type":"object","properties":{"name":{"type":["string","null"]}}}`)
	add("parameter_empty_string", "optional string set to empty",
		`{"type":"object","properties":{"name":{"type":"string"}}}`)
	return rows
}

// GuideExtras returns tools for kinds of input that the guide does not cover but that occur in practice.
func GuideExtras() []GuideRow {
	var rows []GuideRow
	add := func(tool, row, schema string) {
		rows = append(rows, GuideRow{Tool: tool, Row: row, Schema: json.RawMessage(schema)})
	}
	add("extra_array_of_any_object", "array of objects without properties",
		required(`{"type":"array","items":{"type":"object"}}`))
	add("extra_enum", "string enum", optional(`{"type":"string","enum":["red","green","blue"]}`))
	add("extra_integer_enum", "integer enum", optional(`{"type":"integer","enum":[1,2,3]}`))
	add("extra_titled_enum", "enum with titles", optional(
		`{"oneOf":[{"const":"s","title":"Small"},{"const":"m","title":"Medium"},{"const":"l","title":"Large"}]}`))
	add("extra_null_enum", "enum with null", optional(`{"enum":["on","off",null]}`))
	add("extra_multi_select", "several of an enum", optional(
		`{"type":"array","items":{"type":"string","enum":["a","b","c"]},"uniqueItems":true}`))
	add("extra_default", "defaults", `{"type":"object","properties":{"text":{"type":"string","default":"hello"},`+
		`"count":{"type":"integer","default":3},"flag":{"type":"boolean","default":true}}}`)
	add("extra_const", "const", required(`{"const":"fixed"}`))
	add("extra_ref", "$ref", `{"type":"object","properties":{"v":{"$ref":"#/$defs/point"}},"required":["v"],"$defs":`+
		`{"point":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"]}}}`)
	add("extra_bounds", "bounds", `{"type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":10},`+
		`"s":{"type":"string","minLength":2,"maxLength":5,"pattern":"^[a-z]*$"},"l":{"type":"array","maxItems":2}}}`)
	add("extra_big_integer", "integers past 2^53", required(`{"type":"integer"}`))
	add("extra_map", "object with any keys", required(`{"type":"object","additionalProperties":{"type":"integer"}}`))
	add("extra_tuple", "tuple", required(`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],`+
		`"items":false}`))
	add("extra_any", "anything", required(`{}`))
	add("extra_any_of", "anyOf", required(`{"anyOf":[{"type":"string"},{"type":"number"}]}`))
	add("extra_formats", "formats", `{"type":"object","properties":{"date":{"type":"string","format":"date"},`+
		`"time":{"type":"string","format":"date-time"},"email":{"type":"string","format":"email"},`+
		`"uri":{"type":"string","format":"uri"}}}`)
	add("extra_root_one_of", "a choice between objects", `{"type":"object","properties":{"project":{"type":"string"}},`+
		`"required":["project"],"oneOf":[{"title":"By ID","properties":{"id":{"type":"integer"}},"required":["id"]},`+
		`{"title":"By name","description":"Names need not be unique.","properties":{"name":{"type":"string"},`+
		`"exact":{"type":"boolean","default":true}},"required":["name"]}]}`)
	add("extra_nested_rows", "rows inside an optional object", `{"type":"object","properties":{"o":{"type":"object",`+
		`"properties":{"rows":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}}}`)
	add("extra_root_map", "arguments with any names", `{"type":"object","additionalProperties":{"type":"integer"}}`)
	add("extra_open_object", "object without properties", `{"type":"object"}`)
	add("extra_no_arguments", "no arguments", `{"type":"object","additionalProperties":false}`)
	return rows
}

// required is an input schema with the property v, which is required.
func required(v string) string {
	return `{"type":"object","properties":{"v":` + v + `},"required":["v"]}`
}

// optional is an input schema with the property v, which is optional.
func optional(v string) string { return `{"type":"object","properties":{"v":` + v + `}}` }
