package io.drayage.bench.codecs;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.published.PublishedFigures;

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
}
