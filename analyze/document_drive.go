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

// deriveDeclared adds the ratios and sums that the study asks for.
func (b *builder) deriveDeclared() {
	for i := range b.parts {
		if len(b.parts[i].Protocol.Derived) > 0 {
			saved := b.protocol
			b.protocol = b.parts[i].Protocol
			b.derived()
			b.protocol = saved
			return // they are the study's: every configuration has the same
		}
	}
}
