package io.drayage.cli.compare;

import io.drayage.bench.ladder.Rung;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Summary;
import io.drayage.bench.system.SystemOptions;
import org.jspecify.annotations.Nullable;

/**
 * What one rung brings. All figures are of one group, in which the rung, what it is compared with
 * and the baseline took turns. Jackson writes it as it is; what was not measured is null.
 *
 * @param rung its number, from 1
 * @param name what runs call it
 * @param change what is different from {@code over}
 * @param system its notation
 * @param options what the notation does not say
 * @param over the rung that it is compared with; null for the first
 * @param overNumber the number of that rung
 * @param status {@code ok}, {@code failed} or {@code skipped}
 * @param reason why it was skipped
 * @param group the number of the group that its figures come from, from 1
 * @param sqMedianS median of S+Q in seconds
 * @param sqMinS the fastest S+Q
 * @param sqMaxS the slowest S+Q
 * @param commitMedianS median of the whole commit in seconds
 * @param rawMBps raw bytes per second of the median S+Q, in MB/s (10^6)
 * @param wireBytes median of the bytes sent
 * @param cpuMedianS median of the processor time of both processes
 * @param gain how many times as fast as {@code over}, by the medians of S+Q
 * @param sqSpeedup how many times as fast as the first rung, by the medians of S+Q
 * @param runsOk how many runs went well, digests equal
 * @param runsFailed how many did not
 */
record RungSummary(
    int rung,
    String name,
    String change,
    String system,
    SystemOptions options,
    @Nullable String over,
    @Nullable Integer overNumber,
    String status,
    @Nullable String reason,
    @Nullable Integer group,
    @Nullable Double sqMedianS,
    @Nullable Double sqMinS,
    @Nullable Double sqMaxS,
    @Nullable Double commitMedianS,
    @Nullable Double rawMBps,
    @Nullable Long wireBytes,
    @Nullable Double cpuMedianS,
    @Nullable Double gain,
    @Nullable Double sqSpeedup,
    int runsOk,
    int runsFailed) {
  private static final String SKIPPED = "skipped";

  /** One that was not run, without its number. */
  static RungSummary skipped(Rung rung, String reason) {
    return new RungSummary(
        0,
        rung.name(),
        rung.change(),
        rung.contender().system().toString(),
        rung.contender().options(),
        rung.isFirst() ? null : rung.over(),
        null,
        SKIPPED,
        reason,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        0,
        0);
  }

  /**
   * One that was run, without its number.
   *
   * @param own its summary
   * @param over the summary, of the same group, of what it is compared with
   */
  static RungSummary of(Rung rung, int group, Summary own, Summary over) {
    boolean isComparable = own.status() == Status.OK && over.status() == Status.OK;
    Double ownS = own.sqMedianS();
    Double overS = over.sqMedianS();
    Double gain = isComparable && ownS != null && overS != null ? overS / ownS : null;
    return new RungSummary(
        0,
        rung.name(),
        rung.change(),
        rung.contender().system().toString(),
        rung.contender().options(),
        rung.isFirst() ? null : rung.over(),
        null,
        own.status() == Status.OK ? "ok" : "failed",
        null,
        group,
        own.sqMedianS(),
        own.sqMinS(),
        own.sqMaxS(),
        own.commitMedianS(),
        own.rawMBps(),
        own.wireBytes(),
        own.cpuMedianS(),
        rung.isFirst() ? null : gain,
        own.sqSpeedup(),
        own.runsOk(),
        own.runsFailed());
  }

  /** The same with the numbers. */
  RungSummary numbered(int number, @Nullable Integer numberOfOver) {
    return new RungSummary(
        number,
        name,
        change,
        system,
        options,
        over,
        numberOfOver,
        status,
        reason,
        group,
        sqMedianS,
        sqMinS,
        sqMaxS,
        commitMedianS,
        rawMBps,
        wireBytes,
        cpuMedianS,
        gain,
        sqSpeedup,
        runsOk,
        runsFailed);
  }

  boolean isSkipped() {
    return status.equals(SKIPPED);
  }

  boolean isOk() {
    return status.equals("ok");
  }
}
