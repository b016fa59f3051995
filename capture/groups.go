package capture

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// processTime is one process as /proc/[pid]/stat shows it.
type processTime struct {
	pid, parent int
	start       uint64  // ticks since boot: with the pid, who it is
	name        string  // up to 15 bytes
	own         float64 // CPU seconds of its own
	children    float64 // CPU seconds of the children it has waited for, and of theirs
	rss         int64   // bytes
	kernel      bool    // it is a thread of the kernel
}

func (p *processTime) key() processKey { return processKey{p.pid, p.start} }

type processKey struct {
	pid   int
	start uint64
}

// groups adds up the CPU time of groups of processes. A process is in the group
// whose rule it matches, else in that of its parent, and stays there when the
// parent dies.
//
// Nothing is lost between two looks: a process that ended is in the children's
// time of whoever waited for it, a process that came and went in between is in
// it too, and what was counted while a process lived is not counted again when
// it appears there. A total never goes back.
type groups struct {
	names   []string
	rules   []func(p *processTime, cmdline func() string) bool
	cpu     []float64 // so far, seconds, by group
	rss     []int64   // now, bytes
	count   []int     // processes now
	agent   int       // pid of the agent, whose children are the generator's
	group   map[processKey]int
	last    map[int]processTime   // those in a group at the last look, by pid; nil before the first
	foreign map[processKey]string // those in none, by the name they had
	cmdline func(pid int) string
}

// none is the group of processes that are in none.
const none = -1

func newGroups(defined []ProcessGroup) (*groups, error) {
	g := &groups{group: map[processKey]int{}, cmdline: func(int) string { return "" }}
	for _, d := range defined {
		rule, err := d.matcher()
		if err != nil {
			return nil, err
		}
		g.add(d.Name, rule)
	}
	return g, nil
}

func (g *groups) add(name string, rule func(*processTime, func() string) bool) int {
	if i := slices.Index(g.names, name); i >= 0 && rule != nil { // several rules, one group
		old := g.rules[i]
		g.rules[i] = func(p *processTime, c func() string) bool { return old(p, c) || rule(p, c) }
		return i
	}
	g.names, g.rules = append(g.names, name), append(g.rules, rule)
	g.cpu, g.rss, g.count = append(g.cpu, 0), append(g.rss, 0), append(g.count, 0)
	return len(g.names) - 1
}

// matcher turns Match into a rule.
func (d ProcessGroup) matcher() (func(p *processTime, cmdline func() string) bool, error) {
	if text, ok := strings.CutPrefix(d.Match, "pid:"); ok {
		pid, err := strconv.Atoi(text)
		if err != nil || pid <= 0 {
			return nil, fmt.Errorf("%q is no process id", text)
		}
		return pidRule(pid), nil
	}
	if text, ok := strings.CutPrefix(d.Match, "cmd:"); ok {
		re, err := regexp.Compile(text)
		if err != nil {
			return nil, err
		}
		return func(_ *processTime, cmdline func() string) bool { return re.MatchString(cmdline()) }, nil
	}
	if d.Match == "" || len(d.Match) > 15 {
		return nil, errors.New("want a process name of 1 to 15 bytes, pid:N or cmd:REGEXP")
	}
	return func(p *processTime, _ func() string) bool { return p.name == d.Match }, nil
}

func pidRule(pid int) func(*processTime, func() string) bool {
	return func(p *processTime, _ func() string) bool { return p.pid == pid }
}

// roots returns the first process of each group, by pid.
func (g *groups) roots() []int {
	first := map[int]int{}
	for key, i := range g.group {
		if i == none {
			continue
		}
		if pid, ok := first[i]; !ok || key.pid < pid {
			first[i] = key.pid
		}
	}
	var pids []int
	for _, pid := range first {
		pids = append(pids, pid)
	}
	slices.Sort(pids)
	return pids
}

// look takes the processes as they are now. At the first look nothing has been
// used yet.
func (g *groups) look(now []processTime) {
	byPID := make(map[int]*processTime, len(now))
	for i := range now {
		byPID[now[i].pid] = &now[i]
	}
	next := make(map[processKey]int, len(now))
	for i := range now {
		g.assign(&now[i], byPID, next, 0)
	}
	if g.last != nil {
		g.addUp(now, byPID, next)
	}
	g.group = next
	g.last, g.foreign = map[int]processTime{}, make(map[processKey]string, len(now))
	clear(g.rss)
	clear(g.count)
	for _, p := range now {
		i := next[p.key()]
		if i == none {
			g.foreign[p.key()] = p.name
			continue
		}
		g.last[p.pid] = p
		g.rss[i] += p.rss
		g.count[i]++
	}
}

// outside reports whether a process is known to be in no group.
func (g *groups) outside(key processKey) bool {
	_, known := g.foreign[key]
	return known
}

// depthMost bounds how many ancestors are asked for their group.
const depthMost = 64

// assign finds the group of a process: the one it was in, a rule's, or that of
// its parent.
func (g *groups) assign(p *processTime, byPID map[int]*processTime, next map[processKey]int, depth int) int {
	key := p.key()
	if i, ok := next[key]; ok {
		return i
	}
	if i, ok := g.group[key]; ok && i != none {
		next[key] = i
		return i
	}
	group := none
	if name, known := g.foreign[key]; !known || name != p.name { // it is new, or has become another program
		group = g.ruleOf(p)
	}
	if parent := byPID[p.parent]; group == none && parent != nil && depth < depthMost {
		group = g.assign(parent, byPID, next, depth+1)
		if parent.pid == g.agent && g.agent != 0 {
			group = slices.Index(g.names, groupGenerator)
		}
	}
	next[key] = group
	return group
}

// ruleOf returns the group whose rule a process matches. The agent itself is in
// no group by a rule of the user's.
func (g *groups) ruleOf(p *processTime) int {
	if p.pid == g.agent && g.agent != 0 {
		return slices.Index(g.names, groupAgent)
	}
	text, asked := "", false
	cmdline := func() string {
		if !asked {
			text, asked = g.cmdline(p.pid), true
		}
		return text
	}
	for i, rule := range g.rules {
		if rule != nil && rule(p, cmdline) {
			return i
		}
	}
	return none
}

// addUp adds what was used since the last look.
func (g *groups) addUp(now []processTime, byPID map[int]*processTime, next map[processKey]int) {
	// What the children's time of a live process has gained that was counted
	// already, while the child lived.
	counted := map[int]float64{}
	for pid, was := range g.last {
		if p := byPID[pid]; p != nil && p.start == was.start {
			continue
		}
		if heir := g.heir(was, byPID); heir != nil {
			counted[heir.pid] += was.own + was.children
		}
	}
	for i := range now {
		p := &now[i]
		group := next[p.key()]
		if group == none {
			continue
		}
		was := g.last[p.pid]
		if was.start != p.start {
			was = processTime{} // it is new
		}
		if old, ok := g.group[p.key()]; ok && old == none {
			was = *p // it joined: what it used before is not the group's
		}
		g.cpu[group] += max(0, p.own-was.own)
		if p.pid == g.agent {
			group = slices.Index(g.names, groupGenerator)
		}
		if gained := p.children - was.children - counted[p.pid]; gained > 0 && group != none {
			g.cpu[group] += gained
		}
	}
}

// heir returns the nearest ancestor of a process that ended which still lives.
func (g *groups) heir(was processTime, byPID map[int]*processTime) *processTime {
	for range depthMost {
		if p := byPID[was.parent]; p != nil && p.start <= was.start {
			return p
		}
		parent, ok := g.last[was.parent]
		if !ok {
			return nil
		}
		was = parent
	}
	return nil
}
