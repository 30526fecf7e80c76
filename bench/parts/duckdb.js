/** Runs a query of DuckDB on the files of the current directory, and prints its first row as JSON. */
import { DuckDBInstance } from '@duckdb/node-api';

const { DUCKDB_QUERY = '' } = process.env;
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const reader = await connection.runAndReadAll(DUCKDB_QUERY);
console.log(JSON.stringify(reader.getRowsJson()[0]));
