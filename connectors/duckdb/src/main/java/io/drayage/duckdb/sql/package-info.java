/** DuckDB as a session is used: its statements, what they read from, and the types of columns. */
@NullMarked
package io.drayage.duckdb.sql;

import org.jspecify.annotations.NullMarked;
