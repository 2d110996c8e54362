package io.drayage.bench.cargoes;

import io.drayage.cargo.ColumnType;

/**
 * A column of a {@link BaseTable}.
 *
 * @param name the column's name, as the cargo calls it
 * @param type the type of its values
 * @param nullable whether a value may be null
 */
public record BaseColumn(String name, ColumnType type, boolean nullable) {}
