package io.drayage.columnar;

import io.drayage.columnar.stream.Scheme;
import io.drayage.segment.Part;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the way in which the segments of a part are written. The first thread that needs a part
 * examines it, and other threads wait. The result depends only on the part, so a segment's bytes do
 * not depend on the order in which segments are written. Thread-safe.
 */
final class ColumnMemory {
  /** Number of parts that are remembered at a time. A forgotten part is examined again. */
  private static final int SLOTS = 1_024;

  private final AtomicReferenceArray<@Nullable Slot> slots = new AtomicReferenceArray<>(SLOTS);

  /**
   * The knowledge about a column.
   *
   * @param isRaw whether its values are best written raw
   * @param like the scheme of its first rows; null if each segment is examined by itself
   */
  record Column(boolean isRaw, @Nullable Scheme like) {
    static final Column UNKNOWN = new Column(false, null);
    static final Column RAW = new Column(true, null);
  }

  /**
   * Returns the knowledge about a part.
   *
   * @param hasTail whether a compressor follows, on which the knowledge depends
   * @param learn is called if nothing is known, by one thread at a time
   */
  Column of(Part part, boolean hasTail, Supplier<Column> learn) {
    int at = (System.identityHashCode(part) << 1 | (hasTail ? 1 : 0)) & (SLOTS - 1);
    Slot slot = slots.get(at);
    while (slot == null || !slot.part.refersTo(part)) {
      Slot mine = new Slot(part);
      slot = slots.compareAndSet(at, slot, mine) ? mine : slots.get(at);
    }
    return slot.column(learn);
  }

  /** One part. */
  private static final class Slot {
    final WeakReference<Part> part;
    private volatile @Nullable Column column;

    Slot(Part part) {
      this.part = new WeakReference<>(part);
    }

    Column column(Supplier<Column> learn) {
      Column known = column;
      return known != null ? known : learned(learn);
    }

    private synchronized Column learned(Supplier<Column> learn) {
      Column known = column;
      if (known == null) {
        known = learn.get();
        column = known;
      }
      return known;
    }
  }
}
