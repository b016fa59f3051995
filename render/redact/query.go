package redact

import "headroom/internal/pattern"

var (
	// statement is the beginning of a query, as SQL words it.
	statement = pattern.New(`(?is)\b(?:select\s.+?\sfrom\b|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|merge\s+into\s|copy\s+\S+\s+(?:from|to)\s|call\s+\w+\s*\(|values\s*\(|alter\s+(?:role|user)\s|create\s+(?:role|user)\s)`)
	quoted    = pattern.New(`(?s)\b[eEbBxXnN]?'(?:[^']|'')*'|'(?:[^']|'')*'`)
	dollar    = pattern.New(`(?s)\$([A-Za-z_]*)\$.*?\$[A-Za-z_]*\$`)
	// number is a literal after something that takes one.
	number = pattern.New(`(?i)([=<>(,+*/]\s*|\s-\s+|\b(?:limit|offset|between|and|in|values|then|else|when)\s+)-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\b`)
)

// literals replaces the literals of a query by question marks. A text without a
// query stays as it is; of one that has a query, what is before it does.
func literals(s string) string {
	at := statement.FindStringIndex(s)
	if at == nil {
		return s
	}
	query := s[at[0]:]
	query = dollar.ReplaceAllString(query, "?")
	query = quoted.ReplaceAllString(query, "?")
	query = number.ReplaceAllString(query, "${1}?")
	return s[:at[0]] + query
}
