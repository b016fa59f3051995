package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// addOutputFlags gives cmd the two flags that every command has.
func addOutputFlags(cmd *cobra.Command, o *Output) {
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the answer as JSON")
	cmd.Flags().BoolVarP(&o.Quiet, "quiet", "q", false, "no talk on stderr but errors")
}

// printJSON writes v as indented JSON with a final newline. Text is not
// HTML-escaped: it is read by programs, not by browsers. What a terminal would act
// on is written as \u escapes, which say the same to a program.
func printJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	text := b.Bytes()
	if bytes.ContainsFunc(text, actsInJSON) {
		text = []byte(escapedJSON(string(text)))
	}
	_, err := w.Write(text)
	return err
}

// actsInJSON reports whether a terminal acts on r, beside the line ends that stand
// between the values: within texts the encoder has escaped those below 0x20.
func actsInJSON(r rune) bool { return r != '\n' && isControl(r) }

func escapedJSON(text string) string {
	var b strings.Builder
	for _, r := range text {
		if actsInJSON(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
