// Executes a query from standard input by DuckDB, and prints its result as CSV. The package
// @duckdb/node-api is found from the folder that the first argument names.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const { DuckDBInstance } = createRequire(process.argv[2] + '/')('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const result = await connection.runAndReadAll(readFileSync(0, 'utf8'));
console.log(result.columnNames().join(','));
for (const row of result.getRows()) console.log(row.join(','));
