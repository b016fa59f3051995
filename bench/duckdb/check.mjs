// Prints what DuckDB reads from a run, as JSON: rows and column types of every
// table, and figures of the samples by scenario. Usage: node check.mjs RUN
import { DuckDBInstance } from "@duckdb/node-api";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const run = process.argv[2];
const db = await (await DuckDBInstance.create(":memory:")).connect();
await db.run("SET TimeZone = 'UTC'");

async function query(sql) {
  return (await db.runAndReadAll(sql)).getRowObjects();
}

function parts(table) {
  return `read_parquet('${join(run, table, "*.parquet").replaceAll("'", "''")}')`;
}

const tables = {};
for (const entry of readdirSync(run, { withFileTypes: true })) {
  if (!entry.isDirectory() || ["derived", "raw"].includes(entry.name)) continue;
  const from = parts(entry.name);
  const [count] = await query(`SELECT count(*) AS n, min(run) AS run, count(DISTINCT run) AS runs FROM ${from}`);
  const columns = await query(`DESCRIBE SELECT * FROM ${from}`);
  // Every value of every column is read: a hash that nobody compares, but that
  // fails where a page cannot be decoded.
  const [nulls] = await query(`SELECT ${columns.map((c) => `count(*) - count("${c.column_name}") AS "${c.column_name}"`)}, sum(hash(t)) AS h FROM ${from} t`);
  delete nulls.h;
  tables[entry.name] = {
    rows: count.n, run: count.run, runs: count.runs, nulls,
    columns: columns.map((c) => `${c.column_name} ${c.column_type}`),
  };
}

const samples = existsSync(join(run, "samples"))
  ? await query(`
      SELECT scenario, count(*) AS n, count(service) AS latencies, sum(events) AS events,
             quantile_disc(service, 0.5) AS p50, quantile_disc(service, 0.99) AS p99, max(service) AS max,
             epoch_us(min(start)) AS first, epoch_us(max(start)) AS last
      FROM ${parts("samples")} GROUP BY scenario ORDER BY scenario`)
  : [];

console.log(JSON.stringify({ tables, samples }, (_, v) => (typeof v === "bigint" ? Number(v) : v)));
