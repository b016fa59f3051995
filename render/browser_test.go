package render

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headroom/internal/browsertest"
)

var screens = []browsertest.View{{Width: 1280, Height: 800}, {Width: 390, Height: 844}, {Width: 1280, Height: 800, Dark: true}, {Width: 390, Height: 844, Dark: true}}

// TestPageInBrowser opens each sample in Chromium, on a desk and on a phone, light
// and dark: the console is silent, nothing but the page is fetched, the answer
// lies on the first screen, and the page does not scroll sideways. With
// HEADROOM_SCREENSHOTS=DIR it leaves pictures of the screens and a print there.
func TestPageInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	for name, c := range samples(t) {
		out := filepath.Join(t.TempDir(), name)
		if err := Build(c, out, Options{Version: "1.2.3"}); err != nil {
			t.Fatal(err)
		}
		page := filepath.Join(out, filePage)
		backgrounds := map[string]bool{}
		for _, v := range screens {
			b.Open(page, v)
			if said := b.Console(); len(said) > 0 {
				t.Errorf("%s at %d: the console says %q", name, v.Width, said)
			}
			if asked := b.Requests(); len(asked) != 1 || !strings.HasSuffix(asked[0], fileIn(page)) {
				t.Errorf("%s at %d: asked for %q", name, v.Width, asked)
			}
			var seen firstScreen
			b.Eval(lookAtFirstScreen, &seen)
			backgrounds[seen.Background] = true
			if seen.Width != v.Width || seen.ScrollWidth > seen.Width {
				t.Errorf("%s at %d: the page is %d wide on a screen of %d", name, v.Width, seen.ScrollWidth, seen.Width)
			}
			if seen.AnswerBottom <= 0 || seen.AnswerBottom > float64(v.Height) {
				t.Errorf("%s at %d: the answer ends at %.0f, below the first screen of %d", name, v.Width, seen.AnswerBottom, v.Height)
			}
			if seen.CountBottom <= 0 || seen.CountBottom > float64(v.Height) || !strings.HasSuffix(seen.Count, " this does not show") {
				t.Errorf("%s at %d: %q ends at %.0f, below the first screen of %d", name, v.Width, seen.Count, seen.CountBottom, v.Height)
			}
			if seen.Tallest > tallestRow {
				t.Errorf("%s at %d: a row of a table is %.0f high: a note in a narrow column?", name, v.Width, seen.Tallest)
			}
			if len(seen.Figures) != len(c.Figures) {
				t.Errorf("%s at %d: %d figures are seen, want %d", name, v.Width, len(seen.Figures), len(c.Figures))
			}
			for _, w := range seen.Figures {
				if w > float64(v.Width) {
					t.Errorf("%s at %d: a figure is %.0f wide", name, v.Width, w)
				}
			}
		}
		if len(backgrounds) != 2 {
			t.Errorf("%s: backgrounds in light and dark: %v", name, backgrounds)
		}
		checkAccessible(t, b, name)
		checkPrint(t, b, page, name)
		if dir := os.Getenv("HEADROOM_SCREENSHOTS"); dir != "" {
			pictures(b, page, filepath.Join(dir, name))
		}
	}
}

// tallestRow is the height of a row of eight lines, in pixels.
const tallestRow = 190

// checkPrint looks at the page as a printer does: two figures fit on one sheet, but
// one of many lanes has a sheet to itself, so that its words can be read; and the
// listings of the appendix are named but not printed.
func checkPrint(t *testing.T, b *browsertest.Browser, page, name string) {
	t.Helper()
	const sheet = (297 - 2*16) / 25.4 * 96 // the height within the margins, in pixels
	b.Open(page, browsertest.View{Width: 680, Height: 1000, Print: true})
	var seen struct {
		Tallest, TallestLanes float64
		Smallest              float64 // share of its size at which a figure is printed
		Listings              int
		Buttons               int // in heads, as they are printed
		Lone                  int // first rows that may be parted from the second
	}
	b.Eval(`
return {
  Tallest: Math.max(0, ...[...document.querySelectorAll("figure svg.plot:not(.tall)")].map(s => s.getBoundingClientRect().height)),
  TallestLanes: Math.max(0, ...[...document.querySelectorAll("figure svg.plot.tall")].map(s => s.getBoundingClientRect().height)),
  Smallest: Math.min(1, ...[...document.querySelectorAll("section > figure svg.plot")].filter(s => s.getClientRects().length).map(s => s.getBoundingClientRect().width / s.viewBox.baseVal.width)),
  Buttons: [...document.querySelectorAll("thead .sort")].filter(b => getComputedStyle(b).display !== "contents").length,
  Lone: [...document.querySelectorAll("tbody > tr:first-child:not(:last-child)")].filter(r => getComputedStyle(r).breakAfter !== "avoid").length,
  Listings: [...document.querySelectorAll("details .small > table")].filter(t => t.getClientRects().length > 0).length,
}`, &seen)
	if seen.Tallest > sheet*0.4 || seen.TallestLanes > sheet*0.8 {
		t.Errorf("%s, printed: a figure is %.0f high, one of many lanes %.0f, on a sheet of %.0f", name, seen.Tallest, seen.TallestLanes, sheet)
	}
	if seen.Smallest < 0.5 {
		t.Errorf("%s, printed: a figure is %.0f %% of its size: nobody can read it", name, seen.Smallest*100)
	}
	// Chromium repeats no head that holds a button on the next sheet.
	if seen.Buttons > 0 || seen.Lone > 0 {
		t.Errorf("%s, printed: %d heads print a button; %d first rows may stand alone below their head", name, seen.Buttons, seen.Lone)
	}
	b.Requests() // this page was asked for again
	if seen.Listings > 0 {
		t.Errorf("%s, printed: %d listings of the appendix", name, seen.Listings)
	}
}

// pictures writes the first screens, the whole page as a desk and a phone show
// it, and the print.
func pictures(b *browsertest.Browser, page, name string) {
	for _, v := range screens {
		look := fmt.Sprintf("%s-%d", name, v.Width)
		if v.Dark {
			look += "-dark"
		}
		b.Open(page, v)
		b.Screenshot(look + ".png")
		b.Eval("return document.documentElement.scrollHeight", &v.Height)
		b.Open(page, v)
		b.Screenshot(look + "-whole.png")
	}
	b.PDF(name + ".pdf")
	b.Requests() // what the pictures asked for is no part of the test
}

func fileIn(path string) string {
	return filepath.ToSlash(filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path)))
}

type firstScreen struct {
	Width, ScrollWidth int
	AnswerBottom       float64
	Count              string // of what is not shown
	CountBottom        float64
	Tallest            float64 // row of a table
	Background         string
	Figures            []float64 // widths of the pictures that are shown
}

const lookAtFirstScreen = `
const list = document.querySelector("#answer .limits").getBoundingClientRect();
return {
  Width: window.innerWidth,
  ScrollWidth: document.documentElement.scrollWidth,
  AnswerBottom: list.bottom,
  Count: document.querySelector("#answer .count").textContent,
  CountBottom: document.querySelector("#answer .count").getBoundingClientRect().bottom,
  Tallest: Math.max(0, ...[...document.querySelectorAll("tbody tr")].map(r => r.getBoundingClientRect().height)),
  Background: getComputedStyle(document.documentElement).backgroundColor,
  Figures: [...document.querySelectorAll("figure svg.plot")].map(s => s.getBoundingClientRect().width).filter(w => w > 0),
}`

// checkAccessible checks the page that is open for what a screen reader needs.
func checkAccessible(t *testing.T, b *browsertest.Browser, name string) {
	t.Helper()
	var faults []string
	b.Eval(`
const faults = [];
const levels = [...document.querySelectorAll("h1,h2,h3,h4,h5,h6")].map(h => Number(h.tagName[1]));
if (levels.filter(l => l === 1).length !== 1 || levels[0] !== 1) faults.push("not one h1 at the top: " + levels);
for (let i = 1; i < levels.length; i++) if (levels[i] > levels[i-1] + 1) faults.push("a heading level is skipped: " + levels);
if (document.documentElement.lang !== "en") faults.push("no language");
for (const s of document.querySelectorAll("svg.plot")) {
  const ids = (s.getAttribute("aria-labelledby") || "").split(" ");
  if (s.getAttribute("role") !== "img" || ids.length !== 2 || ids.some(i => !document.getElementById(i)?.textContent)) faults.push("a figure has no name or description");
}
for (const th of document.querySelectorAll("th")) if (!["col", "row"].includes(th.scope)) faults.push("a header without scope");
for (const s of document.querySelectorAll(".scroll")) if (s.tabIndex !== 0 || !s.getAttribute("aria-label")) faults.push("a box that scrolls cannot be reached by keys");
const skip = document.querySelector("a.skip");
if (!skip || !document.querySelector(skip.getAttribute("href"))) faults.push("no skip link");
return faults`, &faults)
	for _, f := range faults {
		t.Errorf("%s: %s", name, f)
	}
}

// TestInjectionInBrowser opens a page made of payloads and looks for what could
// act: elements, handlers and links that are not ours.
func TestInjectionInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	for i, payload := range payloads {
		if i%4 != 0 { // the others differ in what the parser of TestInjection sees
			continue
		}
		out := filepath.Join(t.TempDir(), "page")
		if err := Build(poisoned(t, payload), out, Options{}); err != nil {
			t.Fatal(err)
		}
		b.Open(filepath.Join(out, filePage), screens[0])
		var active []string
		b.Eval(`
const active = [...document.querySelectorAll("script:not([type='application/json']),iframe,object,embed,form,img,link,base,foreignObject")].map(e => e.outerHTML.slice(0, 80)).slice(1); // ours is the first
for (const e of document.querySelectorAll("*")) for (const a of e.attributes) {
  if (a.name.startsWith("on") || /^(href|src|xlink:href|action)$/.test(a.name) && !a.value.startsWith("#")) active.push(a.name + "=" + a.value.slice(0, 80));
}
return active`, &active)
		if said := b.Console(); len(active) > 0 || len(said) > 0 {
			t.Errorf("payload %q: active content %q, console %q", payload, active, said)
		}
	}
}
