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
 * The cargo that is encoded.
 *
 * @param name as the user wrote it
 */
public record CodecCargo(String name, ByteSize size, long seed) {
  /** The study has figures for this cargo. */
  private static final String STUDY_CARGO = "thesis";

  /**
   * Its source.
   *
   * @throws IllegalArgumentException if it is unknown, with one line that tells what would be right
   */
  public CargoSource source() {
    return CargoSources.parse(name, size.bytes(), seed);
  }

  /** Whether the study has figures for a cargo like this, if it has them for the size. */
  public boolean isTheStudys() {
    return name.equals(STUDY_CARGO);
  }

  /** A column of the study's tables, as far as it is about this cargo. */
  public PublishedFigures published(String file, String column) {
    return isTheStudys() ? PublishedFigures.of(file, column) : PublishedFigures.none();
  }

  /**
   * What was asked for.
   *
   * @param rawBytes raw bytes of the cargo; null if it could not be made
   * @param combinations in their order
   * @param measured how it was measured
   */
  private record Config(
      @JsonUnwrapped CargoConfig cargo,
      @Nullable Long rawBytes,
      List<String> combinations,
      Object measured) {}

  /**
   * The result of measuring it on this machine.
   *
   * @param rawBytes raw bytes of the cargo; null if it could not be made
   * @param measured how it was measured
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
