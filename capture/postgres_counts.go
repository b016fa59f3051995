package capture

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"headroom/runs"
)

// counts takes the user's counts, each in a statement of its own. What the server
// refuses now it may answer at the other end of the load (the load can make the
// table, a right can be granted): that is told and recorded. SQL that can never
// be a count is an error of usage; so is, before the load, one that is to be
// reconciled and that the server refuses, since its gain is not known any more.
func (p *postgres) counts(ctx context.Context, role string) (*runs.Counts, error) {
	if len(p.c.opt.Postgres.Counts) == 0 {
		return nil, nil
	}
	out := &runs.Counts{Source: sourcePostgres, Values: map[string]string{}}
	p.ask(ctx, fmt.Sprintf("set statement_timeout = %d", countTimeout.Milliseconds()))
	defer p.ask(ctx, fmt.Sprintf("set statement_timeout = %d", statementTimeout.Milliseconds()))
	lacks := func(count Count, of runs.Why, text string) error {
		if claim, ok := p.c.opt.Reconcile[count.Name]; ok && role == "before" && ctx.Err() == nil {
			return fmt.Errorf("%w: count %s before the load: %s: without it %s=%s can never be reconciled", ErrUsage, count.Name, text, count.Name, claim)
		}
		p.c.absent("count "+count.Name+" "+role, of, text)
		p.c.tell(Warning, "count %s %s the load: %s", count.Name, role, text)
		return nil
	}
	for _, count := range p.c.opt.Postgres.Counts {
		if ctx.Err() != nil {
			lacks(count, runs.CollectorDied, errLeftOut.Error())
			continue
		}
		var refused error
		r, err := p.askWithin(ctx, count.SQL, countTimeout+answerTimeout)
		switch {
		case isSyntax(err) && role == "before":
			return nil, fmt.Errorf("%w: count %s: the server cannot read its SQL: %w", ErrUsage, count.Name, p.plain(err))
		case err != nil:
			refused = lacks(count, runs.CollectorDied, why(ctx, p.plain(err)).Error())
		case len(r.rows) > 0 && len(r.columns) != 1 && role == "before": // of no rows, no columns are told
			return nil, fmt.Errorf("%w: count %s: its SQL gives %d columns: want one number", ErrUsage, count.Name, len(r.columns))
		case len(r.rows) != 1 || len(r.columns) != 1:
			refused = lacks(count, runs.NotMeasurable, fmt.Sprintf("its SQL gave %d rows: want one number", len(r.rows)))
		case !isNumber(r.text(0, 0)):
			refused = lacks(count, runs.NotMeasurable, "its SQL gave no number")
		default:
			out.Values[count.Name] = r.text(0, 0)
		}
		if refused != nil {
			return nil, refused
		}
	}
	out.At = stamp(p.c.opt.Clock.Now())
	if len(out.Values) == 0 {
		return nil, nil
	}
	return out, nil
}

// syntaxError is the SQLSTATE of a statement that is no SQL.
const syntaxError = "42601"

func isSyntax(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == syntaxError || errors.Is(err, errEmptySQL)
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && strings.Trim(s, "0123456789+-.eE") == ""
}
