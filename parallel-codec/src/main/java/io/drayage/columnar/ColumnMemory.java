package io.drayage.columnar;

import io.drayage.cargo.ColumnValues;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what samples told about the columns at work. It is always the first segment of a part
 * that they are taken from, whichever a thread comes to first: what a segment's bytes are must not
 * depend on who wrote which before. For one thread.
 */
final class ColumnMemory {
  /** Parts with fewer segments are not worth a look at their first. */
  private static final int MIN_SEGMENTS = 8;

  /** Parts that are remembered at a time. */
  private static final int SLOTS = 256;

  private final @Nullable Slot[] slots = new Slot[SLOTS];

  private record Slot(WeakReference<Part> part, Facts facts) {}

  /** Looks at the first rows of a part. */
  interface FirstLook {
    /** Writes {@code rows} rows from 0 on, and notes what samples tell. */
    void learn(int rows, Facts facts);
  }

  /** What is known of the segment's column; null if it is not worth knowing. */
  @Nullable Facts of(Segment segment, ColumnValues values, FirstLook look) {
    Part part = segment.part();
    boolean few = part.rowCount() / MIN_SEGMENTS < segment.rowCount();
    if (values.isOnDemand() || few || values.rowCount() < part.rowCount()) {
      return null;
    }
    int at = System.identityHashCode(part) & (SLOTS - 1);
    Slot slot = slots[at];
    if (slot != null && slot.part().refersTo(part)) {
      return slot.facts();
    }
    Facts facts = new Facts();
    look.learn(rowsOfFirst(part), facts);
    facts.freeze();
    slots[at] = new Slot(new WeakReference<>(part), facts);
    return facts;
  }

  /** Must not depend on the segment at hand, of which the last is shorter. */
  private static int rowsOfFirst(Part part) {
    return (int) Math.min(part.rowCount(), ColumnValues.DEFAULT_ROWS_PER_PAGE);
  }
}
