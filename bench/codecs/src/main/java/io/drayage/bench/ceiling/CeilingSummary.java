package io.drayage.bench.ceiling;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.ByteSize;
import io.drayage.bench.ceiling.CeilingRun.Iteration;
import io.drayage.bench.link.Link;
import io.drayage.bench.result.Floor;
import io.drayage.bench.result.Status;
import io.drayage.bench.statistics.Medians;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All iterations of one row, as written to JSON; null is not measured.
 *
 * @param status {@link Status#FAILED} if one iteration failed
 * @param bytes bytes of one iteration
 * @param gbps bytes per second of the median, in GB/s (10^9)
 * @param minGbps the slowest iteration
 * @param maxGbps the fastest iteration
 * @param cpuSPerGB CPU seconds for a GB, the median
 * @param iterations number of successful iterations
 */
public record CeilingSummary(
    String row,
    String what,
    Status status,
    @Nullable Long bytes,
    @Nullable Double medianS,
    @Nullable Double gbps,
    @Nullable Double minGbps,
    @Nullable Double maxGbps,
    @Nullable Double cpuSPerGB,
    int iterations,
    @Nullable String error) {
  /** A link's rate needs more digits than a copy's. */
  private static final Format GBPS =
      new Format(
          "GB/s", 1, value -> String.format(Locale.ROOT, value < 1 ? "%.4f" : "%.2f", value));

  private static final Format CPU_S_PER_GB = Format.of("s/GB", "%.2f");

  private static final double SHARE_OF_LOOPBACK = 0.55;
  private static final double SHARE_OF_LINK = 0.9;

  static CeilingSummary of(CeilingRow row, List<Iteration> runs) {
    List<Iteration> all = runs.stream().filter(run -> run.row().equals(row.name())).toList();
    List<Iteration> ok = all.stream().filter(run -> run.status() == Status.OK).toList();
    String error =
        all.stream()
            .filter(run -> run.status() == Status.FAILED)
            .findFirst()
            .map(Iteration::error)
            .orElse(all.isEmpty() ? "not measured" : null);
    Double median = Medians.of(ok, Iteration::seconds);
    Long bytes = ok.isEmpty() ? null : ok.get(0).bytes();
    double[] rates = ok.stream().mapToDouble(run -> gbps(bytes, run.seconds())).sorted().toArray();
    return new CeilingSummary(
        row.name(),
        row.what(),
        error == null ? Status.OK : Status.FAILED,
        bytes,
        median,
        median == null ? null : (Double) gbps(bytes, median),
        median == null ? null : (Double) rates[0],
        median == null ? null : (Double) rates[rates.length - 1],
        Medians.of(ok, run -> cpuPerGb(run, bytes)),
        ok.size(),
        error);
  }

  private static @Nullable Double cpuPerGb(Iteration run, @Nullable Long bytes) {
    Double cpuS = run.cpuS();
    return cpuS == null || bytes == null ? null : (Double) (cpuS / bytes * 1e9);
  }

  private static double gbps(@Nullable Long bytes, @Nullable Double seconds) {
    return Objects.requireNonNull(bytes) / Objects.requireNonNull(seconds) / 1e9;
  }

  /** Returns the part of the socket's rate that a whole shipment is expected to reach. */
  public static double sinkShare(Link link) {
    return link.isLoopback() ? SHARE_OF_LOOPBACK : SHARE_OF_LINK;
  }

  /** Returns the last line: the slowest step of a shipment here, and the rate to reach. */
  public static String verdict(List<CeilingSummary> summaries, long wireBytes, double sinkShare) {
    Double encode = rate(summaries, CeilingRow.ENCODE);
    Double decode = rate(summaries, CeilingRow.DECODE);
    Double socket = rate(summaries, CeilingRow.SOCKET);
    if (encode == null || decode == null || socket == null) {
      return "the bottleneck is unknown: a step of a shipment could not be measured";
    }
    String slowest =
        socket <= Math.min(encode, decode)
            ? "the socket"
            : encode <= decode ? "encoding on one core" : "decoding on one core";
    double gbps = sinkShare * socket;
    return format(
        "%s is the bottleneck: encode %.2f, socket %.2f, decode %.2f GB/s;"
            + " >= %.2f of the sink is %.2f GB/s, S+Q of %.3f s for %s",
        slowest,
        encode,
        socket,
        decode,
        sinkShare,
        gbps,
        wireBytes / gbps / 1e9,
        ByteSize.format(wireBytes));
  }

  /** Returns the floor that the passes show; null if one of them failed. */
  public static @Nullable Floor floor(List<CeilingSummary> summaries) {
    Double wire = cpuSPerGb(summaries, CeilingRow.PASS_WIRE);
    Double memory = cpuSPerGb(summaries, CeilingRow.PASS_MEMORY);
    return wire == null || memory == null
        ? null
        : Floor.ofPasses(wire, memory, cpuSPerGb(summaries, CeilingRow.PASS_STORED));
  }

  private static @Nullable Double cpuSPerGb(List<CeilingSummary> summaries, CeilingRow row) {
    return of(summaries, row).map(CeilingSummary::cpuSPerGB).orElse(null);
  }

  /** Returns the floor in a sentence, for a GB that is sent as it is. */
  public static String verdict(Floor floor) {
    Double disk = floor.disk();
    return format(
        "the floor of a GB is %.2f s of CPU time into memory (copies %.2f, checksums and socket"
            + " %.2f)%s",
        floor.memory(),
        floor.copies(),
        floor.wire(),
        disk == null ? "" : format(", %.2f s stored (disk %.2f)", floor.memory() + disk, disk));
  }

  /** Makes the table of the rows, for people. */
  public static Table table(List<CeilingSummary> summaries) {
    return Table.of("Ceilings", summaries)
        .text("row", CeilingSummary::row)
        .spread("", GBPS, CeilingSummary::gbps, CeilingSummary::minGbps, CeilingSummary::maxGbps)
        .number("", Format.SECONDS, CeilingSummary::medianS)
        .number("CPU", CPU_S_PER_GB, CeilingSummary::cpuSPerGB)
        .text("what", CeilingSummary::what)
        .build();
  }

  /** Returns the rate of a row in GB/s; null if it has none. */
  static @Nullable Double rate(List<CeilingSummary> summaries, CeilingRow row) {
    return of(summaries, row).map(CeilingSummary::gbps).orElse(null);
  }

  private static Optional<CeilingSummary> of(List<CeilingSummary> summaries, CeilingRow row) {
    return summaries.stream().filter(summary -> summary.row().equals(row.name())).findFirst();
  }
}
