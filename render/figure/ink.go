package figure

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"headroom/analyze"
)

// ink is a named colour of the theme. It travels through gonum's canvas as a
// color.Color; the SVG carries its name as a class, so that the style sheet
// decides the colour in light, dark and print.
type ink string

// RGBA is black: only the name is used.
func (ink) RGBA() (r, g, b, a uint32) { return color.Black.RGBA() }

// The inks. The hues are those of Okabe and Ito (2008), which readers with any
// common colour vision tell apart, darkened or lightened until lines reach a
// contrast of 3:1 and text 4.5:1 with the page behind them.
const (
	inkText  ink = "text"
	inkMuted ink = "muted"
	inkAxis  ink = "axis"
	inkGrid  ink = "grid"
	inkLimit ink = "limit"
	inkBack  ink = "back"
)

// others are the inks of series without a role of their own, in their order.
var others = []ink{"o0", "o1", "o2", "o3", "o4", "o5"}

// palette gives each ink its colour on white and on dark, and the opacity of its
// areas (1 if zero).
var palette = []struct {
	name        ink
	light, dark string
	area        float64
}{
	{inkText, "#1c2024", "#e8eaed", 0},
	{inkMuted, "#5a6068", "#a3a9b1", 0},
	{inkAxis, "#8b9097", "#6f757d", 0},
	{inkGrid, "#e4e6e9", "#30353b", 0},
	{inkLimit, "#b03a00", "#ff9a66", 0},
	{inkBack, "#ffffff", "#16191d", 0},
	{"p50", "#2f8fca", "#cdb8ff", 0},
	{"p90", "#00806a", "#45c9a8", 0},
	{"p99", "#00508c", "#4aa3ec", 0},
	{"max", "#9a6b00", "#d9a514", 0},
	{"throughput", "#007a58", "#3cc49a", 0},
	{"failed", "#c2410c", "#ff8a5c", 0},
	{"o0", "#00508c", "#4aa3ec", 0},
	{"o1", "#c2410c", "#ff8a5c", 0},
	{"o2", "#8a3d77", "#e29ccb", 0},
	{"o3", "#007a58", "#3cc49a", 0},
	{"o4", "#9a6b00", "#d9a514", 0},
	{"o5", "#2f8fca", "#7cc8f5", 0},
	{"h1", "#ebf2f8", "#22282e", 0},
	{"h2", "#d8e5f1", "#2e363e", 0},
	{"h3", "#c2d7ea", "#3d4751", 0},
	{"h4", "#a9c7e2", "#4e5a66", 0},
	{"h5", "#8fb4d6", "#616f7d", 0},
	{"freeze", "#d1480f", "#ff8a5c", 0.34},
	{"slow", "#b57a00", "#e6b13c", 0.20},
	{"gap", "#7d838b", "#8d939b", 0.24},
	{"checkpoint", "#8a3d77", "#e29ccb", 0.16},
	{"vacuum", "#00806a", "#45c9a8", 0.16},
	{"knee", "#8a3d77", "#e29ccb", 0.13},
	{"sustained", "#007a58", "#3cc49a", 0.13},
	{"step", "#7d838b", "#8d939b", 0.08},
}

// isInk reports whether the palette holds a name that came from data.
func isInk(name string) bool {
	for _, p := range palette {
		if string(p.name) == name {
			return true
		}
	}
	return false
}

// roleInk is the ink of a series' role, or "" for a role without one.
func roleInk(role string) ink {
	switch role {
	case "p90", "p95":
		return "p90"
	case "p50", "p99", "max", "throughput", "failed", "sustained", "knee":
		return ink(role)
	case "wait.no_wait":
		return "o0"
	case "wait.lock":
		return "o1"
	case "wait.lwlock":
		return "o2"
	case "wait.io":
		return "o3"
	case "wait.client":
		return "o5"
	}
	return ""
}

// seriesInks gives each series of a panel its ink: that of its role, or the next
// of the others whose colour no role of the panel has. Parts of one series, which
// share name and role, share the ink. Where the others are used up, they begin
// again with the next dash: rounds tells how often they had begun. A median is
// dashed.
func seriesInks(list []analyze.Series) (inks []ink, rounds []int) {
	type key struct{ name, role string }
	colour := map[ink]string{}
	for _, p := range palette {
		colour[p.name] = p.light
	}
	used := map[string]bool{}
	for _, s := range list {
		used[colour[roleInk(s.Role)]] = true
	}
	free := slices.DeleteFunc(slices.Clone(others), func(i ink) bool { return used[colour[i]] })
	if len(free) == 0 {
		free = others
	}
	type stroke struct {
		ink   ink
		round int
	}
	given, taken := map[key]stroke{}, 0
	for _, s := range list {
		k := key{s.Name, s.Role}
		if _, ok := given[k]; !ok {
			given[k] = stroke{ink: roleInk(s.Role)}
			if s.Role == "p50" {
				given[k] = stroke{"p50", 1} // told from the p99 without its colour too
			}
			if given[k].ink == "" {
				given[k] = stroke{free[taken%len(free)], taken / len(free)}
				taken++
			}
		}
		inks, rounds = append(inks, given[k].ink), append(rounds, given[k].round)
	}
	return inks, rounds
}

// spanInk is the ink of a span's kind.
func spanInk(kind string) ink {
	if isInk(kind) && kind != string(inkText) && kind != string(inkBack) {
		return ink(kind)
	}
	return "step"
}

// Fonts whose letters are as wide as those the layout is computed with.
const fontFamily = `"Liberation Sans",Arial,Helvetica,sans-serif`

// CSS is the style sheet of every drawing: inlined once into a page, and part of
// each standalone file.
func CSS() string {
	var b strings.Builder
	b.WriteString(".plot text{font-family:" + fontFamily + ";font-size:12px;paint-order:stroke;stroke-width:3px;stroke-linejoin:round}\n" +
		".plot path{stroke-linecap:round;stroke-linejoin:round}\n")
	colours(&b, func(i int) string { return palette[i].light })
	for _, p := range palette {
		if p.area > 0 {
			fmt.Fprintf(&b, ".plot .a-%s{fill-opacity:%g;stroke:none}\n", p.name, p.area)
		}
	}
	b.WriteString("@media screen and (prefers-color-scheme:dark){\n")
	colours(&b, func(i int) string { return palette[i].dark })
	b.WriteString("}\n")
	return b.String()
}

// colours writes the rules of one theme: strokes, fills and areas of each ink, and
// a rim of the background around letters, so that lines do not run through them.
func colours(b *strings.Builder, of func(int) string) {
	for i, p := range palette {
		fmt.Fprintf(b, ".plot .s-%s{stroke:%s;fill:none}.plot .f-%[1]s,.plot .a-%[1]s{fill:%[2]s}\n", p.name, of(i))
		if p.name == inkBack {
			fmt.Fprintf(b, ".plot text{stroke:%s}\n", of(i))
		}
	}
}
