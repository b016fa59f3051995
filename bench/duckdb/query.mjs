// Runs one statement in DuckDB, in memory, and prints its last rows as JSON.
// Usage: node query.mjs THREADS SQL
import { DuckDBInstance } from "@duckdb/node-api";

const [threads, sql] = process.argv.slice(2);
const db = await (await DuckDBInstance.create(":memory:", { threads })).connect();
await db.run("SET TimeZone = 'UTC'");
const rows = (await db.runAndReadAll(sql)).getRowObjectsJson();
console.log(JSON.stringify(rows.slice(-3)));
