package cli

import "github.com/spf13/cobra"

// laterCommands are words of the design that this version does not know yet.
// They answer so, and help does not list them.
var laterCommands = map[string][]string{
	"":     {"run"},
	"runs": {"export"},
}

// laterFlags are flags of the design that this version does not know yet.
var laterFlags = map[string]bool{"redact": true}

// addLater gives cmd the commands that are not available in this version.
func addLater(cmd *cobra.Command, noun string) {
	for _, name := range laterCommands[noun] {
		cmd.AddCommand(&cobra.Command{
			Use:                name,
			Hidden:             true,
			DisableFlagParsing: true,
			RunE: func(c *cobra.Command, _ []string) error {
				return usagef("%s is not available in this version", c.CommandPath()[len(c.Root().Name())+1:])
			},
		})
	}
}
