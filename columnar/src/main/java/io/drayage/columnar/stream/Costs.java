package io.drayage.columnar.stream;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * The costs of an encoding in nanoseconds, for writing and reading together: a line of the table
 * for the chooser. Measured once and constant, so that equal values are written alike on every
 * machine. {@code CONTRIBUTING.md} describes how to change one.
 *
 * @param ns1 for a value of 1 byte
 * @param ns2 for a value of 2 bytes
 * @param ns4 for a value of 4 bytes
 * @param ns8 for a value of 8 bytes
 * @param item for each run of RLE, exception of REPEAT, byte of PLANES before compression, or bit
 *     of GAPS and RUNS
 * @param byteNs for each written byte
 * @param stream for a stream, however short it is
 * @param estimate for an estimate, divided by the chance that the encoding is then chosen; for
 *     PLANES and BINS for each value of their samples, for REPEAT divided by the bytes of a value.
 *     Encodings with 0 are always estimated
 * @param maxRate maximum share of the link of a codec thread, in MB/s. The encoding is no candidate
 *     above that rate, or if a compressor follows; infinite for candidates everywhere
 */
public record Costs(
    double ns1,
    double ns2,
    double ns4,
    double ns8,
    double item,
    double byteNs,
    double stream,
    double estimate,
    double maxRate) {
  /** Bytes and shorts cost 1.2 ns more than ints if an encoding has to widen them. */
  private static final String TABLE =
      """
      encoding   ns1    ns2    ns4    ns8   item  byte  stream  estimate  maxRate
      RAW        0.105  0.21   0.42   0.84   0    0         0        0       any
      CONST      1.35   1.35   0.15   0.3    0    0         0        0       any
      FOR        1.7    1.7    0.5    1.4    0    0         0        0       any
      NARROW     0.5    1      0      0      0    0         0        0       any
      DELTA      2.5    2.5    1.3    2.4    0    0         0        0       any
      LZ4        0.15   0.3    0.6    1.2    0    3.5    1000     6000      1250
      PFOR       2.4    2.4    1.2    2.5    0    0         0     8000       any
      PDELTA     3.4    3.4    2.2    3.4    0    0         0     8000       any
      GCD        2.6    2.6    1.4    4.5    0    0         0     1000       any
      ALP        0      0      4.5    5      0    0         0    40000       any
      DICT       5.7    5.7    4.5    4      0    0         0    15000       any
      REPEAT     0.1    0.2    0.4    0.8   30    0         0   250000       any
      RLE        0.3    0.4    0.6    1      8    0      5000        0       any
      PLANES     3.2    3.2    2      3      1    4         0       12       125
      BINS      15.2   15.2   14     15      0    0     50000       60       500
      ZSTD       0.4    0.8    1.6   16      0    5     12000    45000       500
      BITS       0      0      0      1      0    0         0        0       any
      GAPS       0      0      0      0      6    0         0        0       any
      """;

  /** The cost of a value that is entropy-coded in an inner stream. */
  public static final double CODING_NS = 16;

  private static final Map<String, Costs> OF_ENCODINGS =
      TABLE
          .lines()
          .skip(1)
          .map(line -> line.split(" +"))
          .collect(Collectors.toUnmodifiableMap(fields -> fields[0], Costs::parse));

  private static Costs parse(String[] fields) {
    double[] costs = new double[fields.length];
    for (int i = 1; i < fields.length; i++) {
      costs[i] = fields[i].equals("any") ? Double.POSITIVE_INFINITY : Double.parseDouble(fields[i]);
    }
    return new Costs(
        costs[1], costs[2], costs[3], costs[4], costs[5], costs[6], costs[7], costs[8], costs[9]);
  }

  /** Returns the costs of an encoding, by its name. */
  static Costs of(String encoding) {
    Costs costs = OF_ENCODINGS.get(encoding);
    if (costs == null) {
      throw new IllegalArgumentException("the table of costs has no encoding " + encoding);
    }
    return costs;
  }

  /** The cost of a value of so many bytes. */
  public double ofValue(int rawWidth) {
    return switch (rawWidth) {
      case Byte.BYTES -> ns1;
      case Short.BYTES -> ns2;
      case Integer.BYTES -> ns4;
      default -> ns8;
    };
  }

  /** Whether the encoding is dropped above {@link #maxRate}, and before a compressor. */
  public boolean isCompression() {
    return maxRate < Double.POSITIVE_INFINITY;
  }
}
