package capture

import (
	"math"
	"testing"
)

// processes is a process table that a test changes.
type processes map[int]processTime

func (p processes) list() []processTime {
	var out []processTime
	for _, q := range p {
		out = append(out, q)
	}
	return out
}

func newTestGroups(t *testing.T) (*groups, processes) {
	t.Helper()
	g, err := newGroups([]ProcessGroup{{"app", "server"}, {"jobs", "cmd:worker --all"}})
	if err != nil {
		t.Fatal(err)
	}
	g.add(groupAgent, nil)
	g.add(groupGenerator, nil)
	g.agent = 50
	g.cmdline = func(pid int) string { return map[int]string{70: "python worker --all"}[pid] }
	return g, processes{
		1:  {pid: 1, name: "init", start: 1, own: 5, children: 900},
		10: {pid: 10, parent: 1, name: "server", start: 10, own: 100, children: 40},
		11: {pid: 11, parent: 10, name: "child", start: 11, own: 7},
		50: {pid: 50, parent: 1, name: "headroom", start: 50, own: 1},
		70: {pid: 70, parent: 1, name: "python", start: 70, own: 3},
	}
}

func (g *groups) of(name string) float64 {
	for i, n := range g.names {
		if n == name {
			return g.cpu[i]
		}
	}
	return math.NaN()
}

func wantCPU(t *testing.T, g *groups, want map[string]float64) {
	t.Helper()
	for name, v := range want {
		if got := g.of(name); math.Abs(got-v) > 1e-9 {
			t.Errorf("%s used %g s, want %g", name, got, v)
		}
	}
}

// What was used before the first look is not counted.
func TestGroupsBegin(t *testing.T) {
	g, p := newTestGroups(t)
	g.look(p.list())
	g.look(p.list())
	wantCPU(t, g, map[string]float64{"app": 0, "jobs": 0, groupAgent: 0, groupGenerator: 0})
	for _, n := range []int{g.count[0], g.count[1]} {
		if n == 0 {
			t.Errorf("processes by group: %v", g.count)
		}
	}
}

// A child that ends is counted once: as it lives, and what is left when its
// parent has waited for it. One that comes and goes between two looks counts.
func TestGroupsChildrenEnd(t *testing.T) {
	g, p := newTestGroups(t)
	g.look(p.list())
	p[12] = processTime{pid: 12, parent: 10, name: "worker", start: 100, own: 2}
	g.look(p.list())
	wantCPU(t, g, map[string]float64{"app": 2})
	delete(p, 12) // it had used 2.5 s; another that was never seen had used 4 s
	s := p[10]
	s.own, s.children = 101, 40+2.5+4
	p[10] = s
	g.look(p.list())
	wantCPU(t, g, map[string]float64{"app": 1 + 2.5 + 4})
}

// A grandchild that ends with its parent is in the time of the nearest ancestor
// that lives.
func TestGroupsGenerationsEnd(t *testing.T) {
	g, p := newTestGroups(t)
	g.look(p.list())
	p[12] = processTime{pid: 12, parent: 11, name: "x", start: 100, own: 3}
	g.look(p.list())
	delete(p, 11)
	delete(p, 12)
	s := p[10]
	s.children += 7 + 3 + 1
	p[10] = s
	g.look(p.list())
	wantCPU(t, g, map[string]float64{"app": 3 + 1})
}

// A parent that does not wait for its children never has their time; what was
// counted while they lived stays.
func TestGroupsNotWaitedFor(t *testing.T) {
	g, p := newTestGroups(t)
	g.look(p.list())
	p[12] = processTime{pid: 12, parent: 10, name: "x", start: 100, own: 3}
	g.look(p.list())
	delete(p, 12)
	g.look(p.list())
	wantCPU(t, g, map[string]float64{"app": 3})
}

// The agent's children are the generator's, not the agent's; what a command of
// the generator's starts stays its own when the command has ended.
func TestGroupsGenerator(t *testing.T) {
	g, p := newTestGroups(t)
	g.look(p.list())
	p[60] = processTime{pid: 60, parent: 50, name: "sh", start: 100, own: 1}
	p[61] = processTime{pid: 61, parent: 60, name: "k6", start: 101, own: 20}
	g.look(p.list())
	delete(p, 60)
	k := p[61]
	k.parent, k.own = 1, 25
	p[61] = k
	a := p[50]
	a.own, a.children = 1.5, 1.25
	p[50] = a
	g.look(p.list())
	wantCPU(t, g, map[string]float64{groupGenerator: 1.25 + 25, groupAgent: 0.5})
}

// A pid that is used again is another process; one that becomes the program of
// a group joins it with what it uses from then on.
func TestGroupsOthers(t *testing.T) {
	g, p := newTestGroups(t)
	g.look(p.list())
	p[11] = processTime{pid: 11, parent: 1, name: "other", start: 200, own: 50}
	p[80] = processTime{pid: 80, parent: 1, name: "sh", start: 80, own: 9}
	g.look(p.list())
	wantCPU(t, g, map[string]float64{"app": 0})
	e := p[80]
	e.name, e.own = "server", 9.5
	p[80] = e
	g.look(p.list())
	e.own = 12
	p[80] = e
	g.look(p.list())
	wantCPU(t, g, map[string]float64{"app": 2.5})
}
