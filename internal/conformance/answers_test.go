package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headroom/analyze"
	"headroom/render"
)

// TestExampleAnswers reads the page of each example as a reader does, section by
// section, and looks there for everything that the reference document of that set
// must answer: each value as the truth has it, in the form in which the page writes
// such values.
func TestExampleAnswers(t *testing.T) {
	for _, set := range exampleSets(t) {
		rows, ok := answerRows[set]
		if !ok {
			continue
		}
		t.Run(set, func(t *testing.T) {
			root := dataFolder(t, "HEADROOM_REFERENCE", "reference")
			file := filepath.Join(root, set, "truth.json")
			if _, err := os.Stat(file); err != nil {
				t.Skipf("%s is not among the reference sets of %s", set, root)
			}
			var want truth
			readJSON(t, file, &want)
			c := exampleDocument(t, filepath.Join(exampleRoot, set))
			files, err := render.Files(c, render.Options{Version: "0"})
			noError(t, "page", err)
			for _, w := range c.Warnings {
				if strings.HasPrefix(w, "what gives first:") {
					t.Error(w)
				}
			}
			page := sectionsOf(string(files["index.md"]))
			answered, values := 0, 0
			for _, row := range rows {
				n, faults := row.answered(set, page, c, want)
				values += n
				for _, f := range faults {
					t.Errorf("%s: %s", row.asks, f)
				}
				if len(faults) == 0 {
					answered++
				}
			}
			t.Logf("answered %d of %d rows, with %d values of the truth", answered, len(rows), values)
		})
	}
}

// sectionsOf cuts a page at its headings.
func sectionsOf(page string) map[string]string {
	out := map[string]string{}
	for _, part := range strings.Split(page, "\n## ")[1:] {
		title, text, _ := strings.Cut(part, "\n")
		out[title] = plainText(text)
	}
	return out
}

// plainText is Markdown as it is read.
func plainText(s string) string {
	return strings.NewReplacer(`\`, "", "**", "").Replace(s)
}

// answered looks for all that a row asks, and returns how many values it found and
// what is not there.
func (r answerRow) answered(set string, page map[string]string, c *analyze.Capacity, want truth) (n int, faults []string) {
	miss := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	var text strings.Builder
	for _, s := range r.sections {
		if _, ok := page[s]; !ok {
			miss("there is no section %q", s)
		}
		text.WriteString(page[s] + "\n")
	}
	for _, w := range r.words {
		if !strings.Contains(text.String(), w) {
			miss("%q is not in %s", w, strings.Join(r.sections, ", "))
		}
	}
	for _, kind := range r.figures {
		if !slices.ContainsFunc(c.Figures, func(f analyze.Figure) bool {
			return strings.HasPrefix(f.Kind, kind) && strings.Contains(text.String(), "figures/"+f.ID+".svg") || strings.HasPrefix(f.ID, kind)
		}) {
			miss("no figure of kind %s", kind)
		}
	}
	for _, pattern := range r.ids {
		found := 0
		form := regexp.MustCompile("^" + regexp.QuoteMeta(set) + `\.` + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `[^.]+`) + "$")
		for _, v := range want.Values {
			if !form.MatchString(v.ID) || string(v.Value) == "null" || v.Informative {
				continue
			}
			found++
			for _, forms := range shownForms(v.Value, v.Unit) {
				if !slices.ContainsFunc(forms, func(f string) bool { return stands(text.String(), f) }) {
					miss("%s, %s %s, is not in %s in any of the forms %q", v.ID, v.Value, v.Unit, strings.Join(r.sections, ", "), forms)
				}
			}
		}
		if found == 0 {
			miss("the truth has no value %s", pattern)
		}
		n += found
	}
	return n, faults
}

// stands reports whether a text holds a value that is not part of a longer number.
func stands(text, value string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], value)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(value)
		if (i == 0 || !strings.ContainsAny(text[i-1:i], "0123456789.,")) && (end == len(text) || !strings.ContainsAny(text[end:end+1], "0123456789")) {
			return true
		}
		from = i + 1
	}
}

// shownForms are the forms in which a page may write a value of the truth; of a
// mapping, those of each of its values.
func shownForms(raw json.RawMessage, unit string) (out [][]string) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			if f, ok := x.(float64); ok {
				out = append(out, numberForms(f, unit))
			}
		}
		return out
	case float64:
		return [][]string{numberForms(v, unit)}
	case string:
		return [][]string{{v}}
	}
	return nil
}

// numberForms are the forms of a number in the unit of the truth.
func numberForms(v float64, unit string) (out []string) {
	add := func(v float64, unit string) { out = append(out, analyze.Display(v, unit)) }
	switch unit {
	case "ms", "ms from start":
		add(v/1e3, "s")
	case "ns":
		add(v/1e9, "s")
	case "us/event":
		add(v/1e6, "s")
	case "s":
		add(v, "s")
	case "B", "bytes":
		add(v, "B")
		out = append(out, analyze.Count(int64(v))+" B")
	case "KB":
		add(v*1024, "B")
	case "share":
		out = append(out, analyze.Percent(v))
	case "% of one core":
		add(v/100, "cores")
	case "%":
		out = append(out, analyze.Percent(v/100))
	case "events/s", "rows/s", "requests/s", "transactions/s", "activities/s":
		for _, u := range []string{"events/s", "rows/s", "requests/s"} {
			add(v, u)
		}
	case "endpoints", "jobs", "pages", "rows":
		add(v, unit)
		out = append(out, analyze.Count(int64(v)))
	default:
		add(v, "1")
		add(v, "requests/s")
		out = append(out, analyze.Percent(v))
		if v == float64(int64(v)) {
			out = append(out, analyze.Count(int64(v)))
		}
	}
	return out
}
