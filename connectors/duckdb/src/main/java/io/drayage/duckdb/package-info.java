/**
 * Reads tables of other systems, and writes them, by DuckDB. Values travel between DuckDB and
 * arrays of Java as Arrow vectors, which both sides read without a call for each value.
 */
@NullMarked
package io.drayage.duckdb;

import org.jspecify.annotations.NullMarked;
