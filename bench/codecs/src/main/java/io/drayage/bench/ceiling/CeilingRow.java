package io.drayage.bench.ceiling;

import io.drayage.bench.environment.Tools;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One ability of the machine, measured by itself.
 *
 * @param name its name in results
 * @param what what is done
 * @param kind how it is measured
 * @param codec serializer and compressor, {@code raw+lz4}; {@code copy} for a plain copy; null if
 *     there is none
 */
public record CeilingRow(String name, String what, RowKind kind, @Nullable String codec) {
  /** How a row is measured. */
  enum RowKind {
    /** A cargo to bytes, on one core. */
    ENCODE,
    /** Bytes to a cargo, on one core. */
    DECODE,
    /** Checksums, on one core. */
    CHECKSUM,
    /** From one process to another. */
    SOCKET,
    /** The same by {@code iperf3}. */
    IPERF3,
    /** To the disk. */
    DISK,
    /** To the disk, as a transactor stores a cargo. */
    STORE
  }

  static final CeilingRow COPY_OUT =
      new CeilingRow("copy-out", "arrays into direct memory, one core", RowKind.ENCODE, "copy");
  static final CeilingRow COPY_IN =
      new CeilingRow("copy-in", "direct memory into new arrays, one core", RowKind.DECODE, "copy");
  static final List<CeilingRow> COPIES = List.of(COPY_OUT, COPY_IN);

  /** With the codec that a shipment at full speed uses. */
  static final CeilingRow ENCODE = codec(RowKind.ENCODE, "raw+none");

  static final CeilingRow DECODE = codec(RowKind.DECODE, "raw+none");
  static final CeilingRow SOCKET =
      new CeilingRow("socket", "frames between two processes, no codec", RowKind.SOCKET, null);
  static final CeilingRow IPERF3 =
      new CeilingRow("iperf3", "the same path, one connection of iperf3", RowKind.IPERF3, null);
  static final CeilingRow STORE =
      new CeilingRow("store", "the same as an object of a folder", RowKind.STORE, null);
  static final List<CeilingRow> ALL =
      List.of(
          COPY_OUT,
          COPY_IN,
          new CeilingRow("crc32c", "checksum of direct memory, one core", RowKind.CHECKSUM, null),
          ENCODE,
          DECODE,
          codec(RowKind.ENCODE, "raw+lz4"),
          codec(RowKind.DECODE, "raw+lz4"),
          codec(RowKind.ENCODE, "raw+zstd"),
          codec(RowKind.DECODE, "raw+zstd"),
          codec(RowKind.ENCODE, "raw+deflate"),
          codec(RowKind.DECODE, "raw+deflate"),
          SOCKET,
          IPERF3,
          new CeilingRow("fsync", "written to a file and forced to the disk", RowKind.DISK, null),
          STORE);

  private static CeilingRow codec(RowKind kind, String codec) {
    String name = (kind == RowKind.ENCODE ? "encode " : "decode ") + codec;
    return new CeilingRow(name, "segments, one core", kind, codec);
  }

  /** All that can be measured on this machine. */
  public static List<CeilingRow> available() {
    return ALL.stream()
        .filter(row -> row.kind != RowKind.IPERF3 || Tools.isInstalled("iperf3"))
        .toList();
  }

  /** Whether it writes to the disk. */
  boolean isDisk() {
    return kind == RowKind.DISK || kind == RowKind.STORE;
  }

  /** Whether it needs both hosts. */
  boolean isPath() {
    return kind == RowKind.SOCKET || kind == RowKind.IPERF3;
  }
}
