package ingest

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// ExitStatus reads the exit status of a load generator from a file that holds
// nothing else.
var ExitStatus = &Importer{
	Name: "exit-status",
	Doc: `Exit status of the load generator

A file that holds one whole number from 0 to 255 and nothing else, as
"k6 run …; echo $? > k6.exit" writes it. k6 exits with 99 when a threshold was
crossed. It is recorded in the manifest; no table is filled.`,
	Gives: []string{"manifest: exit_status"},
	Lacks: []string{"why the generator ended so"},
	Sniff: func(head []byte) bool {
		_, err := exitStatus(head)
		return err == nil
	},
	Read: func(in *Input, _ Sink) error {
		text, err := io.ReadAll(io.LimitReader(in.R, HeadSize))
		if err != nil {
			return err
		}
		n, err := exitStatus(text)
		if err != nil {
			return &SyntaxError{in.Name, 1, err.Error()}
		}
		in.Meta.ExitStatus = &n
		return nil
	},
}

func exitStatus(text []byte) (int, error) {
	text = bytes.TrimSpace(text)
	n, err := strconv.ParseUint(string(text), 10, 8)
	if err != nil || len(text) > 3 {
		return 0, fmt.Errorf("%q is no exit status (a whole number from 0 to 255)", clip(string(text)))
	}
	return int(n), nil
}
