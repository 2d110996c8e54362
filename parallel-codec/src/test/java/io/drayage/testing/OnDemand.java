package io.drayage.testing;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import java.util.concurrent.atomic.AtomicInteger;

/** Copies of cargoes with columns on demand. Each page is made again whenever it is asked for. */
public final class OnDemand {
  private final AtomicInteger pagesMade = new AtomicInteger();

  /** Number of pages made so far. */
  public int pagesMade() {
    return pagesMade.get();
  }

  /** A view of {@code cargo}; its columns have pages of {@code rowsPerPage}. */
  public ChangeCargo of(ChangeCargo cargo, int rowsPerPage) {
    return Repaging.columns(cargo, values -> of(values, rowsPerPage));
  }

  /** A view of {@code values} in pages of {@code rowsPerPage}. */
  public ColumnValues of(ColumnValues values, int rowsPerPage) {
    ColumnValues paged = Repaging.of(values, rowsPerPage);
    return ColumnValues.onDemand(
        values.type(),
        values.rowCount(),
        rowsPerPage,
        page -> {
          pagesMade.incrementAndGet();
          Object copy = values.type().newPage(ColumnType.rowsOf(paged.page(page)));
          values.type().copy(paged.page(page), 0, copy, 0, paged.rowsInPage(page));
          return copy;
        },
        values.validity());
  }
}
