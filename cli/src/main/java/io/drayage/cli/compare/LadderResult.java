package io.drayage.cli.compare;

import io.drayage.bench.environment.Environment;
import io.drayage.bench.link.LinkFacts;
import io.drayage.bench.result.KeptResult;
import io.drayage.bench.result.Run;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole ladder, as it is kept.
 *
 * @param schema the version of this form, {@link #SCHEMA}
 * @param environment the machine, the build and the libraries
 * @param config what was asked for, and what was chosen
 * @param runs every measured iteration, failed ones too, group after group
 * @param summary one for each rung, skipped ones too
 */
record LadderResult(
    int schema, Environment environment, Config config, List<Run> runs, List<RungSummary> summary)
    implements KeptResult {
  /** The version of this form. */
  static final int SCHEMA = 1;

  /**
   * What was asked for, and what was chosen.
   *
   * @param command what the user typed
   * @param size the size that was asked for; null if the cargo has a size of its own
   * @param sizeBytes the same in bytes
   * @param cargo what was asked to be shipped
   * @param cargoDescription what that is
   * @param seed of the cargo's values
   * @param baseline the first rung
   * @param groups the names that took turns with each other, group after group
   * @param iterations measured iterations of each member of a group
   * @param warmup iterations of each before them
   * @param link what lies between the two processes
   * @param linkFacts how that was made
   * @param workerJvmOptions of every worker
   * @param transactorJvmOptions of every transactor
   */
  record Config(
      String command,
      @Nullable String size,
      @Nullable Long sizeBytes,
      String cargo,
      String cargoDescription,
      long seed,
      String baseline,
      List<List<String>> groups,
      int iterations,
      int warmup,
      String link,
      LinkFacts linkFacts,
      List<String> workerJvmOptions,
      List<String> transactorJvmOptions) {}

  /** Whether every rung that was not skipped went well. */
  @Override
  public boolean allOk() {
    return summary.stream().allMatch(rung -> rung.isOk() || rung.isSkipped());
  }
}
