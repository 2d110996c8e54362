package io.drayage.bench.codecs;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.result.KeptResult;
import io.drayage.bench.result.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sizes or times of codecs, as written to JSON.
 *
 * @param schema the version of this form, {@link #SCHEMA}
 * @param summary one row for each combination
 */
public record CodecResult<R extends CodecResult.Row>(
    int schema, Environment environment, Config config, List<R> summary) implements KeptResult {
  /** The version of this form. */
  public static final int SCHEMA = 1;

  /**
   * What was asked for.
   *
   * @param size the size that was asked for; null if the cargo sets its own size
   * @param rawBytes raw bytes of the cargo; null if it could not be made
   * @param combinations in their order
   * @param measured how it was measured
   */
  public record Config(
      @Nullable String size,
      @Nullable Long sizeBytes,
      String cargo,
      String cargoDescription,
      long seed,
      @Nullable Long rawBytes,
      List<String> combinations,
      Object measured) {}

  /** What was measured of one combination. */
  public interface Row {
    /** What was measured. */
    Combination combination();

    /** Why it failed; null if it did not. */
    @Nullable String error();

    /** {@link Status#FAILED} if there is nothing to show. */
    @JsonProperty
    default Status status() {
      return error() == null ? Status.OK : Status.FAILED;
    }
  }

  /** A result of this machine. */
  public static <R extends Row> CodecResult<R> of(
      CodecCargo cargo,
      String cargoDescription,
      @Nullable Long rawBytes,
      List<R> rows,
      Object measured) {
    boolean sizeCounts = CargoSources.sizeCounts(cargo.name());
    Config config =
        new Config(
            sizeCounts ? cargo.size().text() : null,
            sizeCounts ? (Long) cargo.size().bytes() : null,
            cargo.name(),
            cargoDescription,
            cargo.seed(),
            rawBytes,
            rows.stream().map(row -> row.combination().toString()).toList(),
            measured);
    return new CodecResult<>(SCHEMA, Environment.capture(), config, rows);
  }

  @Override
  public boolean allOk() {
    return failures().isEmpty();
  }

  /** A line for each combination that failed. */
  public List<String> failures() {
    return summary.stream()
        .filter(row -> row.status() == Status.FAILED)
        .map(row -> "FAILED %s: %s".formatted(row.combination(), row.error()))
        .toList();
  }

  /** Why a measurement failed, in one line. */
  static String reason(Throwable e) {
    String message = e.getMessage();
    String name = e.getClass().getSimpleName();
    return message == null ? name : name + ": " + message.lines().findFirst().orElse("").strip();
  }
}
