package rule

import "encoding/json"

// SchemaName is the file of the schema, which stands beside the detectors.
const SchemaName = "detector.schema.json"

// SchemaLine is the comment by which editors that know the YAML language server
// find the schema beside a detector.
const SchemaLine = "# yaml-language-server: $schema=" + SchemaName

// object is a JSON object of a schema.
type object = map[string]any

// Schema is the JSON Schema (draft 2020-12) of detector files, for editors: what
// there is to write, and what each key means. What Parse refuses beyond it is
// within expressions, and durations out of their bounds.
func Schema() []byte {
	text := func(about string) object { return object{"type": "string", "minLength": 1, "description": about} }
	oneOf := func(about string, words ...any) object { return object{"enum": words, "description": about} }
	list := func(about string) object {
		return object{"type": "array", "items": object{"type": "string"}, "description": about}
	}
	positive := func(about string) object { return object{"type": "integer", "minimum": 1, "description": about} }
	duration := func(about string) object {
		return object{"type": "string", "pattern": durationForm, "description": about + ", as 10s or 500ms"}
	}
	words := object{"type": "object", "additionalProperties": object{"type": "string"}, "propertyNames": object{"pattern": varForm.String()}}
	schema := object{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "A detector of headroom",
		"type":    "object", "additionalProperties": false, "required": []any{"name", "doc", "input", "when"},
		"properties": object{
			"name":    object{"type": "string", "pattern": nameForm.String(), "description": "lower case words joined by -, for life"},
			"version": positive("raised when findings may change; 1 if not said"),
			"doc": object{"type": "string", "pattern": "Cannot see",
				"description": "the first line is the title; then what it sees, and in a sentence with \"Cannot see\" what it does not"},
			"input":   oneOf("what is looked at", string(Samples), string(Points), string(Sessions), string(Markers)),
			"metrics": list("of points: the first that was recorded is looked at (docs/format/metrics.md)"),
			"all":     object{"type": "boolean", "description": "of points: every one of the metrics that was recorded is looked at"},
			"with":    described(words, "of points: a name for expressions, and the metric whose latest value it is"),
			"kinds":   list("of markers: kinds, by their beginning"),
			"attr":    object{"type": "string", "description": "of markers: the attribute that is the value; duration; 1 for each if not said"},
			"group":   oneOf("of samples: judge each group for itself", "", "op", "target", "worker"),
			"rows":    text("an expression that keeps a row"),
			"window": object{"type": "object", "additionalProperties": false, "description": "what is judged at once", "properties": object{
				"kind":   oneOf("sliding: phase-free; tumbling: a grid from the window's start; run: all at once; row: each on its own", "", "sliding", "tumbling", "run", "row"),
				"length": duration("of a sliding or tumbling window; over samples 100ms and more, else 1ms; 744h at most"),
				"least":  positive("fewest rows that a window is judged with"),
			}},
			"when":        text("the condition: something is wrong with the window"),
			"consecutive": positive("so many windows in a row"),
			"merge":       duration("findings closer than this are one"),
			"severity":    oneOf("warning if not said", "", "info", "warning", "serious"),
			"params": object{"type": "object", "description": "numbers that expressions name, and users set with --param", "propertyNames": object{"pattern": varForm.String()},
				"additionalProperties": object{"type": "object", "additionalProperties": false, "required": []any{"default", "unit", "doc"}, "properties": object{
					"default": object{"type": "number"}, "unit": text("SI base: s, B, 1/s, 1"), "doc": text("what it is"),
				}}},
			"measures": object{"type": "object", "additionalProperties": text("an expression; the highest of the finding's windows is kept"), "description": "figures of a finding"},
			"message":  object{"type": "string", "description": "what a finding says"},
		},
		"allOf": conditions(),
	}
	out, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		panic(err) // of strings and numbers: found by the first test
	}
	return append(out, '\n')
}

// durationForm is what time.ParseDuration reads, without a sign; "" is none.
const durationForm = `^(|0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h))+)$`

// conditions say which keys belong to which input.
func conditions() []any {
	when := func(input Input, then object) object {
		return object{"if": object{"properties": object{"input": object{"const": string(input)}}}, "then": then}
	}
	filled := func(key string) object {
		return object{"required": []any{key}, "properties": object{key: object{"minItems": 1}}}
	}
	only := func(key string, input Input, empty object) object {
		return object{
			"if":   object{"not": object{"properties": object{"input": object{"const": string(input)}}}},
			"then": object{"properties": object{key: empty}},
		}
	}
	long := object{"required": []any{"length"}, "properties": object{"length": object{"minLength": 2}}}
	return []any{
		when(Points, filled("metrics")), when(Markers, filled("kinds")),
		when(Sessions, object{"properties": object{"window": object{"properties": object{"length": object{"const": ""}, "kind": object{"enum": []any{"", "row"}}}}}}),
		only("metrics", Points, object{"maxItems": 0}), only("with", Points, object{"maxProperties": 0}), only("all", Points, object{"const": false}),
		only("kinds", Markers, object{"maxItems": 0}), only("group", Samples, object{"const": ""}),
		object{ // a window that moves has a length
			"if": object{"properties": object{
				"input":  object{"enum": []any{string(Samples), string(Points), string(Markers)}},
				"window": object{"required": []any{"kind"}, "properties": object{"kind": object{"enum": []any{"sliding", "tumbling"}}}},
			}, "required": []any{"window"}},
			"then": object{"properties": object{"window": long}},
		},
	}
}

func described(schema object, about string) object {
	out := object{"description": about}
	for k, v := range schema {
		out[k] = v
	}
	return out
}
