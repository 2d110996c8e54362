package io.drayage.columnar;

import io.drayage.cargo.ColumnValues;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Facts;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was found out about the columns at work. It is found out from the part as a whole
 * or from its first rows, whichever segment a thread comes to first: what a segment's bytes are
 * must not depend on who wrote which before. Not thread-safe.
 */
final class ColumnMemory {
  /**
   * The samples of a part with fewer rows, or of one segment, are taken from each segment by
   * itself: its first rows are too many of them to be looked at twice.
   */
  private static final long MIN_ROWS = 8L * ColumnValues.DEFAULT_ROWS_PER_PAGE;

  /** Parts that are remembered at a time. */
  private static final int SLOTS = 256;

  private static final Column UNKNOWN = new Column(false, null);
  private static final Column RAW = new Column(true, null);

  private final RawGate gate;
  private final FirstLook look;
  private final String rawName;
  private final @Nullable Slot[] slots = new Slot[SLOTS];

  /**
   * @param rawName of the encoding of raw values
   */
  ColumnMemory(RawGate gate, FirstLook look, String rawName) {
    this.gate = gate;
    this.look = look;
    this.rawName = rawName;
  }

  private record Slot(WeakReference<Part> part, Column column) {}

  /**
   * What is known of a column.
   *
   * @param isRaw whether its values are best written as they are
   * @param facts what samples told; null if each segment is to be looked at by itself
   */
  record Column(boolean isRaw, @Nullable Facts facts) {}

  /** Looks at the first rows of a part. */
  interface FirstLook {
    /**
     * Writes {@code rows} rows from 0 on, notes what samples tell, and returns how it wrote them.
     */
    EncodingTree learn(ColumnValues values, int rows, Facts facts);
  }

  /** What is known of the segment's column. */
  Column of(Segment segment, ColumnValues values) {
    Part part = segment.part();
    if (values.isOnDemand() || values.rowCount() < part.rowCount()) {
      return ofRows(values, segment.firstRow(), segment.rowCount());
    }
    int at = System.identityHashCode(part) & (SLOTS - 1);
    Slot slot = slots[at];
    if (slot != null && slot.part().refersTo(part)) {
      return slot.column();
    }
    Column column = learn(segment, values);
    slots[at] = new Slot(new WeakReference<>(part), column);
    return column;
  }

  /** What is known of rows that are looked at by themselves. */
  private Column ofRows(ColumnValues values, long firstRow, long rowCount) {
    return gate.isCertain(values, firstRow, rowCount) ? RAW : UNKNOWN;
  }

  private Column learn(Segment segment, ColumnValues values) {
    Part part = segment.part();
    if (part.rowCount() < MIN_ROWS || part.rowCount() == segment.rowCount()) {
      return ofRows(values, 0, part.rowCount());
    }
    RawGate.Chance answer = gate.ask(values, 0, part.rowCount());
    if (answer == RawGate.Chance.CERTAINLY) {
      return RAW;
    }
    Facts facts = new Facts();
    EncodingTree first = look.learn(values, ColumnValues.DEFAULT_ROWS_PER_PAGE, facts);
    if (answer == RawGate.Chance.PERHAPS && first.name().equals(rawName)) {
      return RAW;
    }
    facts.freeze();
    return new Column(false, facts);
  }
}
