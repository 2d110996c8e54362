package io.drayage.bench.ceiling;

import io.drayage.bench.environment.Tools;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One limit of the machine, measured separately.
 *
 * @param name its name in results
 * @param what the work, for people
 * @param kind the kind of measurement
 * @param codec {@code copy} for a plain copy, {@code raw+none} for the codec of a shipment at full
 *     speed; null if there is none
 */
public record CeilingRow(String name, String what, RowKind kind, @Nullable String codec) {
  /** The kind of measurement of a row. */
  enum RowKind {
    /** A cargo to bytes, on one core. */
    ENCODE,
    /** Bytes to a cargo, on one core. */
    DECODE,
    /** Bytes from one process to another. */
    SOCKET,
    /** Bytes from one process to another by {@code iperf3}. */
    IPERF3,
    /** Bytes to the disk, as a transactor stores a cargo. */
    STORE,
    /** Checked bytes from one process to another, in {@link OnePass}. */
    PASS_WIRE,
    /** Checked bytes that also come out of arrays and go into arrays. */
    PASS_MEMORY,
    /** Checked bytes that also go from arrays to the disk. */
    PASS_STORED
  }

  static final CeilingRow COPY_OUT =
      new CeilingRow("copy-out", "arrays into direct memory, one core", RowKind.ENCODE, "copy");
  static final CeilingRow COPY_IN =
      new CeilingRow("copy-in", "direct memory into new arrays, one core", RowKind.DECODE, "copy");

  static final CeilingRow ENCODE =
      new CeilingRow("encode raw+none", "segments, one core", RowKind.ENCODE, "raw+none");
  static final CeilingRow DECODE =
      new CeilingRow("decode raw+none", "segments, one core", RowKind.DECODE, "raw+none");
  static final CeilingRow SOCKET =
      new CeilingRow("socket", "frames between two processes, no codec", RowKind.SOCKET, null);
  static final CeilingRow IPERF3 =
      new CeilingRow("iperf3", "the same path, one connection of iperf3", RowKind.IPERF3, null);
  static final CeilingRow STORE =
      new CeilingRow("store", "an object of a folder, forced to the disk", RowKind.STORE, null);
  static final CeilingRow PASS_WIRE =
      new CeilingRow(
          "pass-wire", "bytes, checked at both ends, all cores", RowKind.PASS_WIRE, null);
  static final CeilingRow PASS_MEMORY =
      new CeilingRow(
          "pass-memory", "the same, out of arrays into new arrays", RowKind.PASS_MEMORY, null);
  static final CeilingRow PASS_STORED =
      new CeilingRow("pass-stored", "the same, and to the disk", RowKind.PASS_STORED, null);

  /** The passes, each with a step more. */
  static final List<CeilingRow> PASSES = List.of(PASS_WIRE, PASS_MEMORY, PASS_STORED);

  static final List<CeilingRow> ALL =
      List.of(
          COPY_OUT,
          COPY_IN,
          ENCODE,
          DECODE,
          SOCKET,
          IPERF3,
          STORE,
          PASS_WIRE,
          PASS_MEMORY,
          PASS_STORED);

  /** Returns all rows that can be measured on this machine. */
  public static List<CeilingRow> available() {
    return ALL.stream()
        .filter(row -> row.kind != RowKind.IPERF3 || Tools.isInstalled("iperf3"))
        .toList();
  }

  /** Whether it needs both hosts. */
  boolean isPath() {
    return kind == RowKind.SOCKET || kind == RowKind.IPERF3 || PASSES.contains(this);
  }
}
