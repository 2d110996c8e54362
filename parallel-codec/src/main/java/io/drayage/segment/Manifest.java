package io.drayage.segment;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.TableSchema;
import io.drayage.frame.Fault;
import io.drayage.frame.Joined;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The shape of a cargo: its tables, their parts, and the segments of each part. Sent first, so that
 * the receiver can check it against its limits and knows the place of every segment.
 *
 * @param transactionId the transaction whose changes the cargo holds
 * @param baseSnapshot the snapshot on which the changes were made
 * @param droppedTables the names of the tables that the cargo drops before it adds any
 * @param newTables the tables that the cargo adds unless they exist
 * @param mustBeNew the names of the new tables that must not exist
 * @param tables the names of the tables, also of tables without a part
 * @param parts the parts, table by table
 * @param segments the segments, part by part; a segment's index is its place in this list
 */
public record Manifest(
    UUID transactionId,
    long baseSnapshot,
    List<String> droppedTables,
    List<TableSchema> newTables,
    Set<String> mustBeNew,
    List<String> tables,
    List<Part> parts,
    List<Segment> segments) {
  /** Maximum number of tables of a cargo. */
  public static final int MAX_TABLES = 65_536;

  /** Maximum number of parts of a cargo. */
  public static final int MAX_PARTS = 1 << 20;

  /** Maximum number of segments of a cargo: 4 TiB of raw bytes in segments of 1 MiB. */
  public static final int MAX_SEGMENTS = Joined.MAX_SEGMENTS;

  public Manifest {
    droppedTables = List.copyOf(droppedTables);
    newTables = List.copyOf(newTables);
    mustBeNew = Set.copyOf(mustBeNew);
    tables = List.copyOf(tables);
    parts = List.copyOf(parts);
    segments = List.copyOf(segments);
  }

  /** The raw bytes of all parts. */
  public long rawBytes() {
    return parts.stream().mapToLong(Part::rawBytes).sum();
  }

  /** Maximum memory of the parts in bytes, during and after decoding. */
  public long memoryBytes() {
    return parts.stream().mapToLong(Part::memoryBytes).sum();
  }

  /**
   * Returns the same division with other raw bytes.
   *
   * @param rawBytes of each part
   */
  public Manifest withRawBytes(long[] rawBytes) {
    List<int[]> rows = rowsOfSegmentsByPart();
    List<Part> counted = new ArrayList<>();
    List<Segment> cut = new ArrayList<>();
    for (Part part : parts) {
      Part now = part.withRawBytes(rawBytes[part.index()]);
      counted.add(now);
      addSegments(now, rows.get(part.index()), cut);
    }
    return new Manifest(
        transactionId, baseSnapshot, droppedTables, newTables, mustBeNew, tables, counted, cut);
  }

  /** Appends the segments of {@code part}, with these numbers of rows, to {@code segments}. */
  static void addSegments(Part part, int[] rowsOfSegments, List<Segment> segments) {
    long firstRow = 0;
    for (int rows : rowsOfSegments) {
      segments.add(new Segment(segments.size(), part, firstRow, rows));
      firstRow += rows;
    }
  }

  /** Returns the numbers of rows of the segments, for each part. */
  List<int[]> rowsOfSegmentsByPart() {
    List<int[]> byPart = new ArrayList<>(parts.size());
    int next = 0;
    for (Part part : parts) {
      int end = next;
      while (end < segments.size() && segments.get(end).part().index() == part.index()) {
        end++;
      }
      byPart.add(segments.subList(next, end).stream().mapToInt(Segment::rowCount).toArray());
      next = end;
    }
    return byPart;
  }

  /**
   * Checks that the manifest belongs to the announced shipment.
   *
   * @throws ShipmentException {@code MANIFEST} if it is of another transaction or snapshot
   */
  public void requireOf(ShipmentHeader header) throws ShipmentException {
    if (!transactionId.equals(header.transactionId()) || baseSnapshot != header.baseSnapshot()) {
      throw new ShipmentException(
          Fault.MANIFEST,
          format(
              "the manifest is of transaction %s on snapshot %d, the shipment of %s on %d",
              transactionId, baseSnapshot, header.transactionId(), header.baseSnapshot()));
    }
  }
}
