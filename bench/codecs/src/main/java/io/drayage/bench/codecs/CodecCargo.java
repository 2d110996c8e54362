package io.drayage.bench.codecs;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoConfig;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.bench.result.Result;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cargo to encode.
 *
 * @param name as the user wrote it
 */
public record CodecCargo(String name, ByteSize size, long seed) {
  /** The cargo of the study's figures. */
  private static final String STUDY_CARGO = "thesis";

  /**
   * Returns the source of the cargo.
   *
   * @throws IllegalArgumentException if it is unknown, with one line that says what is valid
   */
  public CargoSource source() {
    return CargoSources.parse(name, size.bytes(), seed);
  }

  /** Whether the study has figures for this cargo, in the sizes that it measured. */
  public boolean isTheStudys() {
    return name.equals(STUDY_CARGO);
  }

  /** Returns a column of the study's tables; an empty one if it is for another cargo. */
  public PublishedFigures published(String file, String column) {
    return isTheStudys() ? PublishedFigures.of(file, column) : PublishedFigures.none();
  }

  /**
   * The options of the measurement.
   *
   * @param rawBytes raw bytes of the cargo; null if it could not be made
   * @param combinations in their order
   * @param measured the settings of the measurement
   */
  private record Config(
      @JsonUnwrapped CargoConfig cargo,
      @Nullable Long rawBytes,
      List<String> combinations,
      Object measured) {}

  /**
   * Makes the result of a measurement on this machine.
   *
   * @param rawBytes raw bytes of the cargo; null if it could not be made
   * @param measured the settings of the measurement
   */
  public <R extends CodecRow> Result<R> result(
      CargoSource source, @Nullable Long rawBytes, List<R> rows, Object measured) {
    List<String> combinations = rows.stream().map(row -> row.combination().toString()).toList();
    return Result.of(
        new Config(CargoConfig.of(name, size, seed, source), rawBytes, combinations, measured),
        rows,
        CodecRow.failures(rows).isEmpty());
  }
}
