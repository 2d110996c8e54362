package io.drayage.bench.peers.arrow;

import static io.drayage.internal.Texts.format;

import io.drayage.arrow.ArrowColumns;
import io.drayage.bench.peers.arrow.PutHeader.PutKind;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** A cargo whose parts arrive, each in one put or several. Thread-safe. */
final class InboundCargo {
  private final PutHeader header;

  /** The parts that have begun. Guarded by this, like {@code failed}. */
  private final Map<Integer, InboundPart> parts = new HashMap<>();

  private int wholeParts;

  /** Guarded by this. */
  private boolean failed;

  /** A part, whose arrays grow while they are filled. */
  private static final class InboundPart {
    final PutHeader header;
    final List<String> names = new ArrayList<>();
    final List<ColumnValues> columns = new ArrayList<>();
    long rowsLeft;

    InboundPart(PutHeader header, Schema schema) {
      this.header = header;
      this.rowsLeft = header.partRows();
      for (Field field : schema.getFields()) {
        names.add(field.getName());
        columns.add(
            ColumnValues.allocate(ArrowColumns.type(field), header.partRows(), field.isNullable()));
      }
    }
  }

  /**
   * @param header of any of its puts
   */
  InboundCargo(PutHeader header) {
    this.header = header;
  }

  /** Returns the columns into which a put's rows go. */
  synchronized List<ColumnValues> columns(PutHeader put, Schema schema) throws IOException {
    if (failed) {
      throw new IOException("another put of this cargo has failed");
    }
    return parts.computeIfAbsent(put.part(), part -> new InboundPart(put, schema)).columns;
  }

  /**
   * Counts the rows of a put, all of which have arrived.
   *
   * @return the cargo, if it is complete
   */
  synchronized @Nullable ChangeCargo complete(PutHeader put) {
    InboundPart part = parts.get(put.part());
    if (part == null) {
      throw new IllegalStateException(
          format("part %d has not begun, or a put of its cargo has failed", put.part()));
    }
    part.rowsLeft -= put.rows();
    if (part.rowsLeft == 0) {
      wholeParts++;
    }
    return wholeParts == header.parts() ? build() : null;
  }

  /** Releases the arrays, because a put has failed and the cargo will never be complete. */
  synchronized void drop() {
    failed = true;
    parts.clear();
  }

  /** Returns the number of parts that have begun. */
  synchronized int begunParts() {
    return parts.size();
  }

  private ChangeCargo build() {
    ChangeCargo.Builder cargo = ChangeCargo.builder(header.transactionId(), header.baseSnapshot());
    for (int t = 0; t < header.tables().size(); t++) {
      int table = t;
      cargo.table(header.tables().get(t), changes -> addParts(table, changes));
    }
    return cargo.build();
  }

  private void addParts(int table, ChangeCargo.TableChangesBuilder changes) {
    for (int p = 0; p < header.parts(); p++) {
      InboundPart part = parts.get(p);
      if (part != null && part.header.table() == table) {
        add(part, changes);
      }
    }
  }

  private static void add(InboundPart part, ChangeCargo.TableChangesBuilder changes) {
    if (part.header.kind() == PutKind.INSERTED) {
      for (int c = 0; c < part.columns.size(); c++) {
        changes.insert(part.names.get(c), part.columns.get(c));
      }
    } else if (part.header.kind() == PutKind.UPDATED) {
      changes.update(part.names.get(1), part.columns.get(0), part.columns.get(1));
    } else {
      changes.delete(bits(part.columns.get(0), part.header.bits()));
    }
  }

  private static RowBits bits(ColumnValues words, long size) {
    RowBits bits = new RowBits(size);
    for (int page = 0; page < words.pageCount(); page++) {
      long[] from = (long[]) words.page(page);
      for (int i = 0; i < words.rowsInPage(page); i++) {
        bits.setWord((long) page * words.rowsPerPage() + i, from[i]);
      }
    }
    return bits;
  }
}
