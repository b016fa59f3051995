package analyze

// priceQuantities is what a million events cost on the host of the run, at the
// rate that was measured, for the run and each of its steps.
func (m *Measured) priceQuantities() []Quantity {
	price, currency := m.manifest.Host.PricePerHour, m.manifest.Host.Currency
	if price == 0 {
		price, currency = m.protocol.PricePerHour, m.protocol.Currency
	}
	if !(price > 0) || price-price != 0 {
		return nil
	}
	if currency == "" {
		currency = "currency units"
	}
	var out []Quantity
	for i := range m.units {
		u := &m.units[i]
		rate := m.get("throughput", u)
		if u.probe || rate == nil {
			continue
		}
		from := From{Tables: []string{"run.json", "samples"}, Window: u.window.text(), Method: "price-over-rate@1", Params: map[string]any{"price_per_hour": price}}
		q := quantity("price.per_million_events", u.scope, 0, currency, -1, from)
		if rate.Value == nil {
			out = append(out, withhold(q, rate.Why))
			continue
		}
		if *rate.Value <= 0 {
			out = append(out, withhold(q, "nothing was carried"))
			continue
		}
		q = quantity(q.ID, q.Scope, pricePerMillion(price, *rate.Value), currency, -1, from)
		q.N, q.Bound = rate.N, priceBound(rate.Bound)
		out = append(out, q)
	}
	return out
}

// pricePerMillion is the price of the time that a million events take.
func pricePerMillion(perHour, eventsPerSecond float64) float64 {
	return perHour / 3600 * 1e6 / eventsPerSecond
}

// priceBound turns the bound of a rate around: what carries at least so much costs
// at most so much.
func priceBound(rate Bound) Bound {
	switch rate {
	case Floor, AtLeast:
		return AtMost
	case Ceiling, AtMost:
		return AtLeast
	}
	return rate
}
