package io.drayage.tables;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The sources of a cargo.
 *
 * @param files by the name of the table, in the order of the tables
 * @param selects SQL by the name of the table; these tables follow the tables of {@code files}
 * @param databases files of databases by their names in the SQL
 * @param oldFiles by the name of the table: the rows that the database already has. The cargo then
 *     has only the differences
 * @param keys the columns that identify a row in the old and the new file
 * @param jdbc the database whose SQL dialect the selects use; null for DuckDB's
 * @param types the declared types of columns, also for old files
 * @param transactionId of the cargo
 * @param baseSnapshot of the cargo
 */
public record ImportPlan(
    Map<String, Path> files,
    Map<String, String> selects,
    Map<String, Path> databases,
    Map<String, Path> oldFiles,
    List<String> keys,
    @Nullable JdbcSource jdbc,
    DeclaredTypes types,
    UUID transactionId,
    long baseSnapshot) {}
