package near

import "testing"

func TestDidYouMean(t *testing.T) {
	names := []string{"sustained", "ladder", "sweep", "soak", "pairs", "latency.p99", "latency.p999", "x"}
	for word, want := range map[string]string{
		"swep":        "; did you mean sweep?",
		"SWEEP":       "; did you mean sweep?",
		"sustain":     "; did you mean sustained?",
		"latency.p98": "; did you mean latency.p99?",
		"zebra":       "",
		"":            "",
		"ab":          "",
		"slow-windw":  "",
		"xx":          "; did you mean x?",
	} {
		if got := DidYouMean(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// TestDistance: the examples of Levenshtein's distance that textbooks give.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"", "abc", 3}, {"same", "same", 0}} {
		if got := distance(c.a, c.b); got != c.want || distance(c.b, c.a) != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
