package cli

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"
)

// addOutputFlags gives cmd the two flags that every command has.
func addOutputFlags(cmd *cobra.Command, o *Output) {
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the answer as JSON")
	cmd.Flags().BoolVarP(&o.Quiet, "quiet", "q", false, "no talk on stderr but errors")
}

// printJSON writes v as indented JSON with a final newline. Text is not
// HTML-escaped: it is read by programs, not by browsers.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
