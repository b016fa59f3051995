package capture

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"headroom/runs"
)

// postgres observes a PostgreSQL server through one connection that only reads.
// It asks the catalogue what the server has; no version is taken for granted.
// A statement that takes longer than statementTimeout is cancelled by the
// server, and a server that does not answer ends the connection, so that it
// cannot hang the agent.
type postgres struct {
	c    *capture
	conf *pgx.ConnConfig
	conn *pgconn.PgConn // nil: not connected

	views     []statView // that this server has
	figures   []serverFigure
	activity  string   // the query for the sessions; "" if it may not be seen
	blockers  int      // looks until blocking sessions are asked for again
	looks     int      // at the statistics
	heavy     cadenced // of views whose cost grows with the schema
	queries   map[string]string
	refs      map[string]*runs.SnapshotRef
	connected bool // at least once

	mu     sync.Mutex    // of what a flush reads meanwhile
	offset time.Duration // of the agent's clock to the server's
	unsure time.Duration
	pace   time.Duration  // of heavy views, as last chosen
	zone   *time.Location // in which the server stamps its log; nil: not known
}

// clockAndPace returns what the manifest says of the server's clock and of the
// pace of heavy views.
func (p *postgres) clockAndPace() (offset, unsure, pace time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.offset, p.unsure, p.pace
}

// The limits of what the agent asks of the server.
const (
	connectTimeout   = 5 * time.Second
	statementTimeout = time.Second
	lockTimeout      = 200 * time.Millisecond
	answerTimeout    = 4 * time.Second // after which the connection is given up
	countTimeout     = 2 * time.Minute // of a user's count
	applicationName  = "headroom-capture"
)

func newPostgres(c *capture) (*postgres, error) {
	conf, err := parseDSN(c.opt.Postgres.DSN)
	if err != nil {
		return nil, err
	}
	conf.ConnectTimeout = connectTimeout
	for name, value := range map[string]string{
		"application_name":                    applicationName,
		"default_transaction_read_only":       "on",
		"statement_timeout":                   fmt.Sprint(statementTimeout.Milliseconds()),
		"lock_timeout":                        fmt.Sprint(lockTimeout.Milliseconds()),
		"idle_in_transaction_session_timeout": "10000",
		"client_encoding":                     "UTF8",
		"DateStyle":                           "ISO",
		"TimeZone":                            "UTC",
	} {
		conf.RuntimeParams[name] = value
	}
	return &postgres{c: c, conf: conf, queries: map[string]string{}, refs: map[string]*runs.SnapshotRef{}}, nil
}

// connect makes the connection and learns what this server has.
func (p *postgres) connect(ctx context.Context) error {
	p.close()
	within, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := pgconn.ConnectConfig(within, &p.conf.Config)
	if err != nil {
		return p.plain(err)
	}
	p.conn = conn
	p.c.connections.Store(1)
	p.connected = true
	if err := p.learn(ctx); err != nil {
		return p.plain(err)
	}
	return nil
}

func (p *postgres) close() {
	if p.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	p.conn.Close(ctx)
	p.conn = nil
	p.c.connections.Store(0)
}

// plain makes an error of the driver fit to be recorded: one line, without
// secrets. It tries a server with TLS and then without, by default, and says both
// times what came of it.
func (p *postgres) plain(err error) error {
	var parts []string
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSpace(strings.ReplaceAll(line, "\t", " "))
		if line != "" && !slices.Contains(parts, line) && !strings.HasSuffix(line, "server refused TLS connection") {
			parts = append(parts, line)
		}
	}
	if len(parts) == 0 {
		return errors.New("the server refused a TLS connection")
	}
	text := strings.ReplaceAll(strings.Join(parts, "; "), ":; ", ": ")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "timeout: "+noAnswer, noAnswer), noAnswer, "the server did not answer in time")
	if p.conf.Password != "" {
		text = strings.ReplaceAll(text, p.conf.Password, masked)
	}
	return errors.New(maskText(text))
}

// noAnswer is what the driver says of a server that does not answer.
var noAnswer = context.DeadlineExceeded.Error()

// result is the answer to a query: everything as text, nil for NULL.
type result struct {
	columns []string
	rows    [][][]byte
}

// text returns a value, "" for NULL.
func (r *result) text(row, column int) string { return string(r.rows[row][column]) }

// errEmptySQL: a statement holds nothing, a comment say.
var errEmptySQL = errors.New("the statement is empty")

// ask runs one statement. The simple protocol gives text for every type, which
// is what snapshots hold.
func (p *postgres) ask(ctx context.Context, sql string) (*result, error) {
	return p.askWithin(ctx, sql, answerTimeout)
}

func (p *postgres) askWithin(ctx context.Context, sql string, limit time.Duration) (*result, error) {
	if p.conn == nil || p.conn.IsClosed() {
		return nil, errors.New("there is no connection")
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	results, err := p.conn.Exec(within, sql).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(results) == 0 || results[len(results)-1].CommandTag.String() == "" {
		return nil, errEmptySQL
	}
	last := results[len(results)-1]
	r := &result{rows: last.Rows}
	for _, f := range last.FieldDescriptions {
		r.columns = append(r.columns, f.Name)
	}
	return r, nil
}

// run is the collector: sessions at a fine cadence, statistics at a coarse one.
func (p *postgres) run(ctx context.Context, ready func()) error {
	if p.conn == nil || p.conn.IsClosed() {
		if err := p.connect(ctx); err != nil {
			return err
		}
	}
	ready()
	elapsed := p.c.opt.Clock.Elapsed
	pace := cadence{every: p.c.opt.Postgres.Activity, next: elapsed()}
	next, position := elapsed(), elapsed()
	for {
		began := p.c.opt.Clock.Now()
		gone := func(err error) error { return &goneError{began, p.plain(err)} }
		if err := p.lookActivity(ctx); err != nil && p.lost(ctx, "sessions", err) {
			return gone(err)
		}
		if elapsed() >= position {
			position = elapsed() + positionEvery
			if err := p.lookPosition(ctx); err != nil && p.lost(ctx, "WAL position", err) {
				return gone(err)
			}
		}
		if elapsed() >= next {
			next = elapsed() + p.c.opt.Postgres.Views
			if err := p.lookViews(ctx, ""); err != nil {
				return gone(err)
			}
		}
		if !pace.wait(ctx, elapsed) {
			return nil
		}
	}
}

// lost reports whether an error ended the connection; one that did not (a
// statement was cancelled, a view may not be read) is only told.
func (p *postgres) lost(ctx context.Context, what string, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	if p.conn == nil || p.conn.IsClosed() {
		return true
	}
	p.c.once(Warning, "postgres "+what, "postgres: %s: %v", what, p.plain(err))
	return false
}

// local reports whether the server is on this host.
func (p *postgres) local() bool {
	host := p.conf.Host
	if strings.HasPrefix(host, "/") || host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
