package io.drayage.cargo;

/** The content of one part of a cargo: the values of a column, or a bit for each row. */
public sealed interface PartContent permits ColumnValues, RowBits {}
