package io.drayage.database;

import io.drayage.cargo.TableSchema;

/**
 * A table of a new database.
 *
 * @param schema name and columns
 * @param rows number of rows, all of default values
 */
public record InitialTable(TableSchema schema, long rows) {}
