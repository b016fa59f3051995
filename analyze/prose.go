package analyze

// Prose is an author's text for a document, with the names of quantities in the
// place of figures. Package render/prose fills it.
type Prose struct {
	// File is the name that problems in the text are reported under.
	File string `json:"file"`
	// Text is Markdown with actions: {{num "latency.p99"}}.
	Text string `json:"text"`
	// Constants are the figures that the author vouches for, by name.
	Constants map[string]string `json:"constants,omitempty"`
}
