/**
 * Files of rows as their writers meant them: which kind a file is by its name and first bytes, and
 * the rows of CSV and JSON with types that all of them have. Nothing here guesses from a sample,
 * and nothing is rounded, cut or trimmed: what does not fit is refused with its line.
 *
 * <p>A text file is read twice: {@link io.drayage.duckdb.file.TextTable} decides the types by the
 * first pass, and {@link io.drayage.duckdb.file.TextTable.Reading} fills Arrow vectors by the
 * second.
 */
@NullMarked
package io.drayage.duckdb.file;

import org.jspecify.annotations.NullMarked;
