package io.drayage.tables;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What becomes a cargo.
 *
 * @param files by the name of the table, in the order of the tables
 * @param selects SQL by the name of the table, which come after those
 * @param databases files of databases by the name that the SQL has for each
 * @param oldFiles by the name of the table: what is in the database already, row by row. Then only
 *     what differs becomes part of the cargo
 * @param keys the columns by which rows of the old and the new are the same
 * @param jdbc the database whose SQL the selects are; null if they are DuckDB's
 * @param types what is said of columns, of old files as well
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
