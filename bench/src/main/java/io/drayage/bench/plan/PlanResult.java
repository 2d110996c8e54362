package io.drayage.bench.plan;

import io.drayage.bench.environment.Environment;
import io.drayage.bench.result.KeptResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A plan, as it is kept.
 *
 * @param schema the version of this form, {@link #SCHEMA}
 * @param environment the machine on which the rates were measured, or read
 * @param config what was asked for
 * @param rates what each system costs here
 * @param summary what each would do there
 * @param check what the model said of this machine, and what was measured; null if that was not
 *     asked for
 */
record PlanResult(
    int schema,
    Environment environment,
    Config config,
    List<Rates> rates,
    List<Row> summary,
    @Nullable List<CheckRow> check)
    implements KeptResult {
  /** The version of this form. */
  static final int SCHEMA = 1;

  /** What was asked for. */
  record Config(
      Hosts hosts,
      String link,
      String size,
      long sizeBytes,
      String calibrationCargo,
      @Nullable String ratesFile) {}

  /**
   * One system.
   *
   * @param boundsS what each part takes, in seconds
   */
  record Row(
      String system, double sqS, double rawMBps, String binds, Map<String, Double> boundsS) {}

  /**
   * One measurement beside its prediction.
   *
   * @param error how much longer than measured it was predicted to take, as a share
   */
  record CheckRow(
      String system,
      int threads,
      String link,
      double predictedS,
      @Nullable Double measuredS,
      @Nullable Double error,
      String binds) {}

  @Override
  public boolean allOk() {
    return check == null || check.stream().allMatch(row -> row.measuredS() != null);
  }
}
