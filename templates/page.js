// What a page can do where scripts run; it says all of it without them. Text from
// the page's data is only ever set as text.
"use strict";
(() => {
  const make = (tag, props = {}, ...children) => {
    const e = Object.assign(document.createElement(tag), props);
    e.append(...children);
    return e;
  };

  // Numbers as the page writes them: thousands in groups, SI prefixes for seconds.
  const prefixes = [[1e-9, "ns"], [1e-6, "µs"], [1e-3, "ms"], [1, "s"]];
  const digits = (v, n = 3) => Number(v.toPrecision(n)).toLocaleString("en", { maximumSignificantDigits: Math.max(n, Math.ceil(Math.log10(Math.abs(v) + 1))) });
  const show = (v, unit) => {
    if (v == null) return "—";
    if (unit === "s") {
      const [f, name] = prefixes.findLast(([f]) => Math.abs(v) >= f) || prefixes[0];
      return v === 0 ? "0 s" : digits(v / f) + " " + name;
    }
    return digits(v) + (unit && unit !== "1" ? " " + unit : "");
  };

  // --- Tables: a click on a header sorts, a second one the other way round. ---
  const factors = { ns: 1e-9, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 1024, MiB: 1048576, GiB: 1073741824, "%": 0.01 };
  const key = cell => {
    const text = (cell.querySelector("a")?.textContent ?? cell.firstChild?.textContent ?? "").trim();
    const m = /^[≈≥≤<>~]*\s*([-−+]?[\d,]*\.?\d+(?:e[-+]?\d+)?)\s*([^\s/]*)/i.exec(text);
    if (!m || !/^[≈≥≤<>~]*\s*[-−+.\d]/.test(text)) return { text };
    return { text, number: Number(m[1].replaceAll(",", "").replace("−", "-")) * (factors[m[2]] ?? 1) };
  };
  const compare = (a, b) => {
    if (a.number != null && b.number != null) return a.number - b.number || 0;
    if (a.number != null) return -1;
    if (b.number != null) return 1;
    return a.text.localeCompare(b.text, "en", { numeric: true });
  };
  const sortable = table => {
    const body = table.tBodies[0];
    if (!body || body.rows.length < 3) return;
    const original = [...body.rows];
    for (const [i, th] of [...table.tHead.rows[0].cells].entries()) {
      const button = make("button", { type: "button", className: "sort" });
      button.append(...th.childNodes);
      th.append(button);
      button.addEventListener("click", () => {
        const next = { none: "ascending", ascending: "descending", descending: "none" }[th.getAttribute("aria-sort") || "none"];
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        if (next !== "none") th.setAttribute("aria-sort", next);
        const rows = next === "none" ? original : original.map((row, n) => ({ row, n, key: key(row.cells[i]) }))
          .sort((a, b) => (next === "ascending" ? 1 : -1) * compare(a.key, b.key) || a.n - b.n).map(r => r.row);
        body.append(...rows);
        const name = row => row.cells[0].textContent;
        rows.forEach((row, n) => row.cells[0].classList.toggle("same", n > 0 && name(row) === name(rows[n - 1]))); // a new name stands out
      });
    }
  };
  // A table in a folded part, of which an appendix has hundreds, is prepared when that is opened.
  for (const table of document.querySelectorAll(".scroll > table")) {
    const fold = table.closest("details:not([open])");
    if (fold) fold.addEventListener("toggle", () => sortable(table), { once: true });
    else sortable(table);
  }

  // --- Numbers: the row of the appendix that a number links to, beside it. ---
  const pop = make("div", { className: "pop", id: "provenance", hidden: true });
  pop.setAttribute("role", "status");
  document.body.append(pop);
  let shownFor = null;
  const hide = () => { pop.hidden = true; shownFor?.removeAttribute("aria-describedby"); shownFor = null; };
  const reveal = link => {
    const row = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    const head = row?.closest("table")?.tHead?.rows[0];
    if (!head || row.tagName !== "TR") return false;
    const list = make("dl");
    [...row.cells].forEach((cell, i) => {
      const text = cell.textContent.trim();
      if (text && text !== "—") list.append(make("dt", { textContent: head.cells[i].textContent.trim() }), make("dd", { textContent: text }));
    });
    const more = make("a", { href: link.hash, textContent: "its row in the appendix" });
    more.addEventListener("click", hide);
    pop.replaceChildren(list, more);
    pop.hidden = false;
    shownFor = link;
    link.setAttribute("aria-describedby", pop.id);
    const at = link.getBoundingClientRect(), size = pop.getBoundingClientRect();
    const left = Math.max(8, Math.min(at.left, document.documentElement.clientWidth - size.width - 8));
    const below = at.bottom + 6 + size.height <= innerHeight || at.top < size.height + 6;
    pop.style.left = left + scrollX + "px";
    pop.style.top = (below ? at.bottom + 6 : at.top - size.height - 6) + scrollY + "px";
    return true;
  };
  document.addEventListener("click", event => {
    const link = event.target.closest?.("a[href^='#']");
    if (link && !pop.contains(link) && link.closest("td, th, .statements, p, li")) {
      if (shownFor === link) { hide(); return; } // the second click follows the link
      if (reveal(link)) event.preventDefault();
    } else if (!pop.contains(event.target)) hide();
  });
  document.addEventListener("keydown", event => { if (event.key === "Escape" && !pop.hidden) { shownFor?.focus(); hide(); } });
  // A link into a folded part opens it.
  const unfold = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    target?.scrollIntoView?.();
  };
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();

  // --- Timelines: zoom, and the values under the pointer, over all lanes. ---
  const colour = (ink, prefix) => { // as the style sheet has it now, light or dark
    const svg = "http://www.w3.org/2000/svg", probe = document.createElementNS(svg, "svg");
    probe.setAttribute("class", "plot probe");
    document.body.append(probe);
    const path = document.createElementNS(svg, "path");
    path.setAttribute("class", prefix + "-" + ink);
    probe.append(path);
    const style = getComputedStyle(path);
    const c = prefix === "s" ? style.stroke : style.fill, alpha = style.fillOpacity;
    probe.remove();
    return prefix === "a" ? c.replace("rgb(", "rgba(").replace(")", ", " + alpha + ")") : c;
  };
  const clock = s => {
    const sign = s < 0 ? "−" : "", t = Math.abs(s), h = Math.floor(t / 3600), m = Math.floor(t % 3600 / 60), rest = t % 60;
    const sec = (Number.isInteger(rest) ? String(rest) : rest.toFixed(3).replace(/0+$/, "")).padStart(rest < 10 ? 2 : 0, "0");
    return sign + (h ? h + ":" + String(m).padStart(2, "0") : m) + ":" + (/^\d(\.|$)/.test(sec) ? "0" + sec : sec);
  };

  // aligned puts the series of a panel on one x axis; a place at which a series has
  // no value, and does not run on, is a gap.
  const aligned = panel => {
    const places = new Set();
    const gaps = panel.series.map(s => {
      const at = [];
      s.x.forEach((x, i) => { if (i && s.gap && x - s.x[i - 1] > s.gap) at.push(s.x[i - 1] + s.gap / 2); });
      [...s.x, ...at].forEach(x => places.add(x));
      return at;
    });
    const x = [...places].sort((a, b) => a - b);
    const sum = new Map();
    const own = [], drawn = [];
    panel.series.forEach((s, i) => {
      const value = new Map(s.x.map((v, k) => [v, s.y[k]]));
      const hole = new Set(gaps[i]);
      const y = x.map(v => value.has(v) ? value.get(v) : hole.has(v) ? null : undefined);
      own.push(y);
      drawn.push(s.mark !== "stack" ? y.map(v => panel.log && v != null && v <= 0 ? null : v) : y.map((v, k) => {
        if (v == null) return v;
        sum.set(x[k], (sum.get(x[k]) || 0) + v);
        return sum.get(x[k]);
      }));
    });
    return { data: [x, ...drawn], own };
  };

  const paths = mark => ({ steps: uPlot.paths.stepped({ align: 1 }), stack: uPlot.paths.stepped({ align: 1 }), bars: uPlot.paths.bars({ size: [0.8, 24] }), dots: () => null })[mark];
  const explore = (figure, value, button) => {
    const box = make("div", { className: "explorer" });
    const plots = [];
    const sync = uPlot.sync(figure.id);
    const ends = value.panels.flatMap(p => p.series.flatMap(s => s.x)).reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
    let range = ends.slice(), busy = false;
    const zoom = (from, to) => {
      const least = 0.05, width = Math.min(Math.max(to - from, least), ends[1] - ends[0]);
      from = Math.min(Math.max(from, ends[0]), ends[1] - width);
      range = [from, from + width];
      busy = true;
      plots.forEach(p => p.setScale("x", { min: range[0], max: range[1] }));
      busy = false;
      where.textContent = clock(range[0]) + " to " + clock(range[1]) + " since " + value.start;
    };
    const step = (f, shift) => () => { const w = (range[1] - range[0]) * f, mid = (range[0] + range[1]) / 2 + shift * (range[1] - range[0]); zoom(mid - w / 2, mid + w / 2); };
    const where = make("span", { className: "where" });
    where.setAttribute("aria-live", "polite");
    const controls = make("div", { className: "controls", role: "group", ariaLabel: "Zoom" });
    for (const [name, said, act] of [["+", "zoom in", step(0.5, 0)], ["−", "zoom out", step(2, 0)], ["◀", "earlier", step(1, -0.5)], ["▶", "later", step(1, 0.5)], ["whole run", "show the whole run", () => zoom(...ends)]]) {
      const b = make("button", { type: "button", textContent: name, title: said });
      b.setAttribute("aria-label", said);
      b.addEventListener("click", act);
      controls.append(b);
    }
    controls.append(where);
    box.append(controls);
    const muted = colour("muted", "f"), grid = colour("grid", "s");
    const width = () => Math.max(280, box.clientWidth || figure.clientWidth);
    figure.insertBefore(box, button.closest("figcaption").nextSibling);
    figure.classList.add("exploring");
    const panels = value.panels.filter(p => p.series.some(s => s.x.length));
    panels.forEach((panel, n) => {
      const { data, own } = aligned(panel);
      const stroke = panel.series.map(s => colour(s.ink, "s"));
      const spans = (panel.spans || []).map(s => ({ ...s, fill: colour(s.ink, "a") }));
      const stacked = panel.series.map((s, i) => s.mark === "stack" ? i + 1 : 0).filter(Boolean);
      const axis = { stroke: muted, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: "11px sans-serif" };
      plots.push(new uPlot({
        width: width(), height: n === 0 ? 230 : n === 1 ? 150 : 120,
        title: panel.label + (panel.unit && panel.unit !== "1" && panel.unit !== "s" && panel.unit !== panel.label ? ", " + panel.unit : ""),
        cursor: { sync: { key: sync.key, scales: ["x", null] }, drag: { x: true, y: false, setScale: false } },
        scales: { x: { time: false, min: range[0], max: range[1] }, y: panel.log ? { distr: 3 } : { range: (u, min, max) => [Math.min(0, min ?? 0), (max || 1) * 1.05] } },
        axes: [{ ...axis, size: n === panels.length - 1 ? 30 : 8, values: (u, at) => at.map(n === panels.length - 1 ? clock : () => "") }, { ...axis, size: 66, values: (u, at) => at.map(v => v == null ? "" : show(v, panel.unit === "s" ? "s" : "")) }],
        legend: { live: true },
        bands: stacked.slice(1).map((i, k) => ({ series: [i, stacked[k]] })),
        series: [{ label: "at", value: (u, v) => v == null ? "—" : clock(v) }, ...panel.series.map((s, i) => ({
          label: s.name, stroke: stroke[i], width: s.mark === "stack" ? 0 : 1.4, paths: paths(s.mark),
          fill: s.mark === "stack" || s.mark === "bars" ? stroke[i] : undefined, points: { show: s.mark === "dots" ? true : undefined, size: 5 },
          value: (u, v, si, k) => show(k == null ? null : own[i][k], panel.unit),
        }))],
        hooks: {
          drawClear: [u => {
            const c = u.ctx;
            for (const s of spans) {
              const a = Math.max(u.valToPos(s.x0, "x", true), u.bbox.left), b = Math.min(u.valToPos(s.x1, "x", true), u.bbox.left + u.bbox.width);
              if (b < u.bbox.left || a > u.bbox.left + u.bbox.width) continue;
              c.fillStyle = s.fill;
              const strip = ["freeze", "slow", "gap"].includes(s.ink) && b - a > u.bbox.width / 2; // as in the picture
              c.fillRect(a, u.bbox.top, Math.max(b - a, 2), strip ? 7 * devicePixelRatio : u.bbox.height);
            }
          }],
          setSelect: [u => {
            if (u.select.width < 4 || busy) return;
            const from = u.posToVal(u.select.left, "x"), to = u.posToVal(u.select.left + u.select.width, "x");
            u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            zoom(from, to);
          }],
          setCursor: [u => {
            if (u.cursor.left == null || u.cursor.left < 0) { evidence.textContent = ""; return; }
            const t = u.posToVal(u.cursor.left, "x"), slack = (range[1] - range[0]) / 200;
            const here = new Set(value.panels.flatMap(p => p.spans || []).filter(s => s.x0 - slack <= t && t <= s.x1 + slack).map(s => s.label + " (" + clock(s.x0) + (s.x1 > s.x0 ? " to " + clock(s.x1) : "") + ")"));
            evidence.textContent = here.size ? "Here: " + [...here].join("; ") : "";
          }],
        },
      }, data, box));
    });
    const evidence = make("p", { className: "evidence" });
    evidence.setAttribute("aria-live", "polite");
    box.append(evidence);
    box.addEventListener("dblclick", () => zoom(...ends));
    zoom(...ends);
    const resize = () => plots.forEach(p => p.setSize({ width: width(), height: p.height }));
    addEventListener("resize", resize);
    figure.plots = plots;
    return () => {
      removeEventListener("resize", resize);
      plots.forEach(p => p.destroy());
      box.remove();
      figure.classList.remove("exploring");
    };
  };
  for (const data of document.querySelectorAll("script.figure-data")) {
    const figure = data.closest("figure");
    const caption = figure.querySelector("figcaption");
    const button = make("button", { type: "button", className: "explore", textContent: "Zoom and read values" });
    button.setAttribute("aria-expanded", "false");
    let close = null;
    button.addEventListener("click", () => {
      if (close) { close(); close = null; } else close = explore(figure, JSON.parse(data.textContent), button);
      button.textContent = close ? "Back to the picture" : "Zoom and read values";
      button.setAttribute("aria-expanded", String(Boolean(close)));
    });
    caption.append(button);
  }

  // --- The fleet calculator: the page's own figures, and their bounds. ---
  const held = document.getElementById("calculator-data");
  if (held) calculator(JSON.parse(held.textContent));
  function calculator(figures) {
    const section = document.getElementById("calculator");
    const words = { floor: "at least ", "at-least": "at least ", "at-most": "at most ", ceiling: "at most " };
    const opposite = { floor: "at most ", "at-least": "at most ", "at-most": "at least ", ceiling: "at least " };
    const field = (text, props) => {
      const input = make("input", { type: "number", min: "0", step: "any", inputMode: "decimal", ...props });
      return { input, label: make("label", {}, make("span", { textContent: text }), input) };
    };
    const choice = make("select");
    figures.forEach((f, i) => choice.append(make("option", { value: String(i), textContent: f.name + ": " + f.display })));
    const rate = field("requests or events of an endpoint an hour", { value: "60", id: "calculator-rate" });
    const endpoints = field("endpoints to serve", { value: "100000", id: "calculator-endpoints" });
    const price = field("price of one installation an hour", { value: figures[0].price ?? "", id: "calculator-price" });
    const out = make("output", { id: "calculator-answer" });
    out.setAttribute("aria-live", "polite");
    const update = () => {
      const f = figures[Number(choice.value)], per = Number(rate.input.value), want = Number(endpoints.input.value), cost = Number(price.input.value);
      const lines = [];
      if (per > 0) {
        const one = Math.floor(f.value * 3600 / per * (1 + 1e-12));
        lines.push("One installation carries " + (words[f.bound] ?? "about ") + one.toLocaleString("en") + " endpoints.");
        if (want > 0 && one > 0) {
          const n = Math.ceil(want / one * (1 - 1e-12));
          lines.push(want.toLocaleString("en") + " endpoints need " + (opposite[f.bound] ?? "about ") + n.toLocaleString("en") + (n === 1 ? " installation" : " installations") +
            (cost > 0 ? ", " + (opposite[f.bound] ?? "about ") + (n * cost).toLocaleString("en", { maximumFractionDigits: 2 }) + (f.currency ? " " + f.currency : "") + " an hour" : "") + ".");
        }
      } else lines.push("Give a rate above zero.");
      if (f.bound === "ceiling") lines.push("The figure is a ceiling: no latency was measured at a given rate.");
      lines.push("By arithmetic from " + f.name + " (" + f.display + "); not run as such.");
      out.replaceChildren(...lines.map(textContent => make("p", { textContent })));
    };
    const form = make("div", { className: "calculator" }, make("label", {}, make("span", { textContent: "figure" }), choice), rate.label, endpoints.label, price.label);
    form.addEventListener("input", update);
    section.append(form, out);
    section.hidden = false;
    update();
  }
})();
