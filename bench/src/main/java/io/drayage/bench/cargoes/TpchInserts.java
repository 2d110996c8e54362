package io.drayage.bench.cargoes;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import java.util.List;

/**
 * Collects the rows that a cargo inserts into one TPC-H table.
 *
 * @param <R> the generator's row
 */
final class TpchInserts<R> {
  private final List<TpchField<R>> fields;
  private final List<ColumnBuilder> builders;

  TpchInserts(List<TpchField<R>> fields) {
    this.fields = fields;
    this.builders = fields.stream().map(field -> new ColumnBuilder(field.column().type())).toList();
  }

  void add(R row) {
    for (int i = 0; i < builders.size(); i++) {
      fields.get(i).fill().accept(builders.get(i), row);
    }
  }

  /** Adds all columns to the cargo; nothing may be collected afterwards. */
  void addTo(ChangeCargo.TableBuilder changes) {
    for (int i = 0; i < builders.size(); i++) {
      changes.insert(fields.get(i).column().name(), builders.get(i).build());
    }
  }
}
