package study

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"headroom/analyze"
)

// Write returns the text of a study of proposed configurations, with comments on
// what can be added. paths are those of the runs, relative to the study.
func Write(proposals []analyze.Proposal, paths []string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# yaml-language-server: $schema=%s\n", SchemaName)
	b.WriteString(`# Which runs make one document, and by which rules they are judged.
#   headroom report build study.yaml -o page
# Every key is described in docs/study.md; editors complete them by the schema above.

# title: What one host sustains

`)
	writeLocks(&b, proposals)
	b.WriteString("\nconfigurations:\n")
	var probes []string
	for _, p := range proposals {
		writeConfiguration(&b, p, paths)
		probes = append(probes, p.Probes...)
	}
	writeProbes(&b, probes)
	b.WriteString(`
# limits: {p99: 1s, drift: 1.25, min_samples: 1000, delivered: 0.99}

# fleet:
#   rates: [60, 600, 3600]   # events per endpoint and hour
#   targets: [10000]         # endpoints that it must carry

# compare:
#   - {name: cost-of-a-match, faster: plain, slower: matching}

# constants:
#   timeout: {value: 10 s, doc: the gateway's own default}

# prose: text.md

# What the document does not show, in your words; what the runs lack is added.
# not_covered:
#   - One process and one database on one host.
`)
	return []byte(b.String())
}

// writeLocks writes the locks as a document of this kind has them by default, and
// what the runs at hand lack of the evidence that they ask for.
func writeLocks(b *strings.Builder, proposals []analyze.Proposal) {
	var protocols, unrecorded, uncounted []string
	for _, p := range proposals {
		protocols = append(protocols, p.Protocol)
		if !p.Contention {
			unrecorded = append(unrecorded, p.Name)
		}
		if !p.Reconciled {
			uncounted = append(uncounted, p.Name)
		}
	}
	kind := analyze.KindOf(protocols)
	lock := analyze.DefaultLock(kind)
	fmt.Fprintf(b, "# A rate whose contention was not recorded, or whose counts were not reconciled, is\n# withheld (required) or given with a warning (warn). The default of this kind of\n# document, %s, is %s.\n", kind, lock)
	for _, l := range []struct {
		key, what string
		lacking   []string
	}{{"contention", "contention was not recorded", unrecorded}, {"reconciliation", "counts were not paired with claims", uncounted}} {
		if len(l.lacking) > 0 && lock == analyze.Required {
			fmt.Fprintf(b, "# In %s %s: the rates are withheld, unless warn stands here.\n", comment(strings.Join(l.lacking, ", ")), l.what)
		}
		fmt.Fprintf(b, "%s: %s\n", l.key, lock)
	}
}

func writeConfiguration(b *strings.Builder, p analyze.Proposal, paths []string) {
	fmt.Fprintf(b, "  - name: %s\n", quoted(p.Name))
	fmt.Fprintf(b, "    protocol: %s\n", p.Protocol)
	if p.Key != "" && (p.Protocol == "sweep" || p.Protocol == "ladder") {
		fmt.Fprintf(b, "    key: %s\n", quoted(p.Key))
	}
	b.WriteString("    runs:\n")
	for _, i := range p.Runs {
		fmt.Fprintf(b, "      - %s\n", quoted(escaped(paths[i])))
	}
	if len(p.Where) > 0 {
		var labels []string
		for _, k := range slices.Sorted(maps.Keys(p.Where)) {
			labels = append(labels, k+"="+p.Where[k])
		}
		fmt.Fprintf(b, "    # its labels: %s\n", comment(strings.Join(labels, ", ")))
	}
}

func writeProbes(b *strings.Builder, probes []string) {
	slices.Sort(probes)
	probes = slices.Compact(probes)
	if len(probes) == 0 {
		return
	}
	b.WriteString("\nprobes:\n")
	for _, s := range probes {
		fmt.Fprintf(b, "  - {scenario: %s, p99: 500ms}\n", quoted(s))
	}
}

// escaped makes a pattern that matches a path and nothing else.
func escaped(p string) string {
	p = path.Clean(p)
	for _, c := range []string{"[", "*", "?"} {
		p = strings.ReplaceAll(p, c, "["+c+"]")
	}
	return p
}

// quoted writes a word of YAML: as it is where it cannot be anything else.
func quoted(s string) string {
	plain := s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-") == ""
	if _, err := strconv.ParseFloat(s, 64); err == nil || !plain || strings.HasPrefix(s, "-") ||
		slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(s)) {
		return strconv.Quote(s)
	}
	return s
}

// comment takes from text what would end a comment's line.
func comment(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '\u0085' || r == '\u2028' || r == '\u2029' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}
