package io.drayage.bench.commits;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a measurement.
 *
 * @param load of every round, but for its callers
 * @param callers their numbers
 * @param iterations rounds of each system with each number of callers
 * @param warmupSeconds the seconds before the first round
 * @param store an empty store; null for a folder
 * @param disk the folder for the folders of servers
 * @param logs the folder for the servers' logs; it exists
 * @param beside whether PostgreSQL takes turns with the node
 */
public record CommitsPlan(
    CommitLoad load,
    List<Integer> callers,
    int iterations,
    int warmupSeconds,
    @Nullable String store,
    Path disk,
    Path logs,
    boolean beside) {
  /** Number of steps: a warm-up of each system, and its rounds. */
  public int steps() {
    return (beside ? 2 : 1) * (1 + iterations * callers.size());
  }
}
