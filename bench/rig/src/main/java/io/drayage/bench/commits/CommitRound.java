package io.drayage.bench.commits;

import io.drayage.bench.result.Status;
import org.jspecify.annotations.Nullable;

/**
 * One round of one system, as written to JSON; null is not measured.
 *
 * @param perSecond commits a second
 * @param p50S the median of the answer times
 * @param serverCpuMs CPU time of the server's processes for a commit
 * @param objects objects or files that the server wrote for a commit
 * @param bytes bytes that the server wrote for a commit: of objects, or of PostgreSQL's log
 */
public record CommitRound(
    String system,
    int callers,
    int iteration,
    Status status,
    @Nullable Long commits,
    @Nullable Double perSecond,
    @Nullable Double p50S,
    @Nullable Double p99S,
    @Nullable Double worstS,
    @Nullable Double serverCpuMs,
    @Nullable Double objects,
    @Nullable Double bytes,
    @Nullable String error) {
  static CommitRound ok(
      String system,
      int callers,
      int iteration,
      CommitTimings timings,
      ServerCost before,
      ServerCost after) {
    double commits = timings.commits();
    Long objectsBefore = before.objects();
    Long objectsAfter = after.objects();
    return new CommitRound(
        system,
        callers,
        iteration,
        Status.OK,
        timings.commits(),
        commits / timings.seconds(),
        timings.p50S(),
        timings.p99S(),
        timings.worstS(),
        (after.cpuS() - before.cpuS()) * 1e3 / commits,
        objectsBefore == null || objectsAfter == null
            ? null
            : (Double) ((objectsAfter - objectsBefore) / commits),
        (after.bytes() - before.bytes()) / commits,
        null);
  }

  static CommitRound failed(String system, int callers, int iteration, String error) {
    return new CommitRound(
        system,
        callers,
        iteration,
        Status.FAILED,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        error);
  }
}
