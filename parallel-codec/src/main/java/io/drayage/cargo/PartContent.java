package io.drayage.cargo;

/** What one part of a cargo holds: the values of a column, or a bit for each row. */
public sealed interface PartContent permits ColumnValues, RowBits {}
