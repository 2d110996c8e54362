package io.drayage.segment;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TextRun;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Cuts a cargo into independent segments of about the same raw bytes. Stateless, thread-safe.
 *
 * <p>A segment of values of fixed width starts at a multiple of 64 rows of its part, so that no
 * word of validity bits belongs to two segments. A segment of texts, which may be large, starts at
 * any row. If its size allows it, a segment starts at a page boundary of the receiver, so that one
 * thread fills a page.
 */
public final class SegmentPlanner {
  /** Default raw bytes of a segment. */
  public static final int DEFAULT_SEGMENT_BYTES = 1 << 20;

  /** Minimum raw bytes that a caller may choose for a segment. */
  public static final int MIN_SEGMENT_BYTES = 4 << 10;

  /** Maximum raw bytes of one text. */
  public static final int MAX_TEXT_BYTES = 2 << 20;

  /** Minimum rows, so that a manifest has room for the segments, even of texts of no character. */
  private static final int MIN_ROUGH_ROWS = MIN_SEGMENT_BYTES / CargoSize.TEXT_LENGTH_BYTES;

  private static final long MAX_RAW_BITS = (long) Segment.MAX_RAW_BYTES * Byte.SIZE;

  private final int segmentBytes;

  /**
   * @param segmentBytes approximate raw bytes of a segment
   * @throws IllegalArgumentException if {@code segmentBytes} is outside {@link #MIN_SEGMENT_BYTES}
   *     to {@link Segment#MAX_RAW_BYTES}
   */
  public SegmentPlanner(int segmentBytes) {
    if (segmentBytes < MIN_SEGMENT_BYTES || segmentBytes > Segment.MAX_RAW_BYTES) {
      throw new IllegalArgumentException(
          format(
              "segments of %,d bytes are outside %,d to %,d",
              segmentBytes, MIN_SEGMENT_BYTES, Segment.MAX_RAW_BYTES));
    }
    this.segmentBytes = segmentBytes;
  }

  /**
   * Plans the manifest of {@code cargo}.
   *
   * @throws IllegalArgumentException if a text is longer than {@link #MAX_TEXT_BYTES}, with its
   *     column and row, or if there are more tables, parts or segments than a manifest may have
   */
  public Manifest plan(ChangeCargo cargo) {
    return plan(cargo, false);
  }

  /**
   * Plans a manifest without reading the texts of large columns, if their sources estimate the
   * lengths. The raw bytes and the segments of such columns are estimates too.
   *
   * @throws IllegalArgumentException as {@link #plan}, except for texts that were not read
   */
  public Manifest planRoughly(ChangeCargo cargo) {
    return plan(cargo, true);
  }

  private Manifest plan(ChangeCargo cargo, boolean rough) {
    Plan plan = new Plan(rough);
    for (TableChanges table : cargo.tables()) {
      plan.addTable(table);
    }
    requireAtMost("tables", plan.tables.size(), Manifest.MAX_TABLES);
    requireAtMost("parts", plan.parts.size(), Manifest.MAX_PARTS);
    requireAtMost("segments", plan.segments.size(), Manifest.MAX_SEGMENTS);
    return new Manifest(
        cargo.transactionId(),
        cargo.baseSnapshot(),
        cargo.droppedTables(),
        cargo.newTables(),
        cargo.mustBeNew(),
        plan.tables,
        plan.parts,
        plan.segments);
  }

  private static void requireAtMost(String what, int count, int limit) {
    if (count > limit) {
      throw new IllegalArgumentException(
          format("a cargo of %,d %s exceeds the limit of %,d", count, what, limit));
    }
  }

  private final class Plan {
    final boolean rough;
    final List<String> tables = new ArrayList<>();
    final List<Part> parts = new ArrayList<>();
    final List<Segment> segments = new ArrayList<>();

    Plan(boolean rough) {
      this.rough = rough;
    }

    void addTable(TableChanges table) {
      String name = table.table();
      tables.add(name);
      for (InsertedColumn inserted : table.insertedColumns()) {
        addValues(name, PartKind.INSERTED_VALUES, inserted.column(), inserted.values());
      }
      for (ColumnUpdates update : table.updates()) {
        addValues(name, PartKind.UPDATED_ROWS, update.column(), update.rowIds());
        addValues(name, PartKind.UPDATED_VALUES, update.column(), update.values());
      }
      RowBits deleted = table.deletedRows();
      if (deleted != null) {
        Part part = Part.ofDeletes(parts.size(), name, deleted);
        int bytes = part.type() == null ? segmentBytes * Byte.SIZE : segmentBytes / Long.BYTES;
        add(part, SegmentRuns.uniform(part.rowCount(), bytes - bytes % Long.SIZE));
      }
    }

    private void addValues(String table, PartKind kind, String column, ColumnValues values) {
      boolean fixed = values.type().isFixedWidth();
      int typical = rough && !fixed ? typicalTextBytes(values) : 0;
      TextCuts cuts = fixed || typical > 0 ? null : new TextCuts(table, column, values);
      long rawBytes = values.fixedBytes() + values.rowCount() * typical;
      int uniformRows =
          fixed
              ? rowsPerSegment(values)
              : Integer.highestOneBit(
                  Math.min(values.rowsPerPage(), segmentBytes / Math.max(1, typical)));
      Part part =
          new Part(
              parts.size(),
              table,
              kind,
              column,
              values.type(),
              values.validity() != null,
              values.rowCount(),
              cuts == null ? rawBytes : cuts.rawBytes);
      add(
          part,
          cuts == null
              ? SegmentRuns.uniform(values.rowCount(), uniformRows)
              : cuts.rowsOfSegments());
    }

    private void add(Part part, int[] rowsOfSegments) {
      parts.add(part);
      Manifest.addSegments(part, rowsOfSegments, segments);
    }
  }

  /**
   * Approximate raw bytes of a text; 0 if unknown. Also 0 if an estimate does not suit: too few
   * texts, too long ones, or so few in a page that there would be too many segments.
   */
  private int typicalTextBytes(ColumnValues values) {
    int known = values.typicalTextBytes();
    int typical = known == 0 ? 0 : known + CargoSize.TEXT_LENGTH_BYTES;
    return values.rowsPerPage() < MIN_ROUGH_ROWS
            || values.rowCount() * typical < segmentBytes
            || typical > segmentBytes / MIN_ROUGH_ROWS
        ? 0
        : typical;
  }

  /** Whether the raw bytes of a part of {@link #planRoughly} are an estimate. */
  public boolean isEstimate(Part part, ColumnValues values) {
    int typical = values.type().isFixedWidth() ? 0 : typicalTextBytes(values);
    return typical > 0 && part.rawBytes() == values.fixedBytes() + values.rowCount() * typical;
  }

  private int rowsPerSegment(ColumnValues values) {
    int width = values.type().widthBytes();
    // A segment of maximum size must leave room for its validity bits.
    int rows =
        values.validity() == null
            ? segmentBytes / width
            : (int) Math.min(segmentBytes / width, MAX_RAW_BITS / (width * Byte.SIZE + 1));
    int page = ColumnValues.DEFAULT_ROWS_PER_PAGE;
    return rows >= page ? rows - rows % page : Math.max(Long.SIZE, rows - rows % Long.SIZE);
  }

  /** Cuts a column of texts as soon as the bytes reach the target. */
  private final class TextCuts {
    /** Serializers may need more bytes than a text has: twice this must fit into a frame. */
    private final int maxBytes = Math.min(segmentBytes, MAX_TEXT_BYTES);

    private final IntStream.Builder rows = IntStream.builder();
    private int openRows;
    private long openBytes;
    long rawBytes;

    TextCuts(String table, String column, ColumnValues values) {
      rawBytes = values.fixedBytes();
      for (int p = 0; p < values.pageCount(); p++) {
        long row = (long) p * values.rowsPerPage();
        for (TextRun run : values.texts(p).runs(0, values.rowsInPage(p))) {
          for (int i = 0; i < run.rows(); ) {
            int fitting = fitting(run, i);
            if (fitting == 0 && openRows == 0) {
              fitting = 1;
              requireLength(run.length(i), table, column, row + i);
            }
            add(fitting, bytes(run, i, fitting));
            i += fitting;
            if (i < run.rows()) {
              cut();
            }
          }
          row += run.rows();
        }
      }
      cut();
    }

    private static long bytes(TextRun run, int from, int count) {
      return (long) count * CargoSize.TEXT_LENGTH_BYTES + run.start(from + count) - run.start(from);
    }

    /** Number of texts from {@code from} on that still belong to the open segment. */
    private int fitting(TextRun run, int from) {
      int low = 0;
      int high = run.rows() - from;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (openBytes + bytes(run, from, middle) <= maxBytes) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return low;
    }

    private static void requireLength(int length, String table, String column, long row) {
      long bytes = CargoSize.TEXT_LENGTH_BYTES + (long) length;
      if (bytes > MAX_TEXT_BYTES) {
        throw new IllegalArgumentException(
            format(
                "the text in row %,d of column '%s' of table '%s' has %,d bytes, the limit is %,d",
                row, column, table, bytes, MAX_TEXT_BYTES));
      }
    }

    private void add(int count, long bytes) {
      openRows += count;
      openBytes += bytes;
      rawBytes += bytes;
    }

    private void cut() {
      if (openRows > 0) {
        rows.add(openRows);
        openRows = 0;
        openBytes = 0;
      }
    }

    int[] rowsOfSegments() {
      return rows.build().toArray();
    }
  }
}
