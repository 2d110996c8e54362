package io.drayage.bench.cargoes;

import io.drayage.cargo.ColumnBuilder;
import java.util.function.BiConsumer;

/**
 * A column of a TPC-H table, and how a generated row fills it.
 *
 * @param <R> the generator's row
 */
record TpchField<R>(BaseColumn column, BiConsumer<ColumnBuilder, R> fill) {}
