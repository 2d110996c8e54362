/**
 * Files of rows, read as their writers meant them: the kind of a file by its name and first bytes,
 * and the rows of CSV and JSON with types that fit all values. This package does not guess from a
 * sample, and does not round, cut or trim. A value that does not fit is refused with its line.
 *
 * <p>A text file is read twice. {@link io.drayage.duckdb.file.TextTable} finds the types in the
 * first pass, and {@link io.drayage.duckdb.file.TextTable.Reading} fills Arrow vectors in the
 * second.
 */
@NullMarked
package io.drayage.duckdb.file;

import org.jspecify.annotations.NullMarked;
