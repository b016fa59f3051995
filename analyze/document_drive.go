package analyze

// scenariosOf judges the runs of a configuration one by one, by the checks that
// each can answer.
func (b *builder) scenariosOf(p *part) {
	saved := b.groups
	b.groups = p.groups
	b.scenarios()
	b.groups = saved
}

// benchmarksOf judges the benchmarks of a configuration.
func (b *builder) benchmarksOf(p *part) {
	saved := b.runs
	b.runs = p.runs
	b.benchmarks()
	b.runs = saved
}

// derivations are the ratios and sums that the study asks for: every configuration has
// the same.
func (b *builder) derivations() []Derived {
	for i := range b.parts {
		if list := b.parts[i].Protocol.Derived; len(list) > 0 {
			return list
		}
	}
	return nil
}

// deriveDeclared adds the ratios and sums that the study asks for.
func (b *builder) deriveDeclared() {
	saved := b.protocol
	b.protocol.Derived = b.derivations()
	b.derived()
	b.protocol = saved
}
