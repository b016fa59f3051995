// Command generate writes load files of any size for the comparisons of
// bench/compare.sh, to standard output, the same for the same arguments.
//
//	go run ./bench/generate -kind pgbench -rows 5000000 > pgbench_log.1
//	go run ./bench/generate -kind k6 -from k6.json -bytes 200000000 > k6-200.json
//
// k6 and k6-urls replay a recorded file (k6 run --out json) with later times and
// other values; the other kinds are made from nothing.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

// kind writes rows of one format.
type kind struct {
	name  string
	write func(w *bufio.Writer, o options) error
}

// options say how much is written.
type options struct {
	rows  int64
	bytes int64  // of the k6 kinds, about
	from  string // the recorded file that they replay
	seed  uint64 // of the other kinds: another seed, another load
}

var kinds = []kind{
	{"k6", replay(false)}, {"k6-urls", replay(true)},
	{"pgbench", pgbench}, {"jtl", jtl}, {"vegeta-csv", vegetaCSV}, {"vegeta-json", vegetaJSON}, {"postgres", postgres}, {"bench", goBench},
}

func main() {
	var o options
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	name := flag.String("kind", "", "what is written: "+strings.Join(names, ", "))
	flag.Int64Var(&o.rows, "rows", 1_000_000, "rows of all kinds but k6 and k6-urls")
	flag.Int64Var(&o.bytes, "bytes", 200_000_000, "least bytes of k6 and k6-urls")
	flag.StringVar(&o.from, "from", "", "the recorded file that k6 and k6-urls replay")
	flag.Uint64Var(&o.seed, "seed", 1, "another seed makes another load of the kinds that are made from nothing")
	flag.Parse()
	i := slices.Index(names, *name)
	if i < 0 {
		fmt.Fprintf(os.Stderr, "generate: kind %q: want one of %s\n", *name, strings.Join(names, ", "))
		os.Exit(2)
	}
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	err := kinds[i].write(w, o)
	if e := w.Flush(); err == nil {
		err = e
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}
