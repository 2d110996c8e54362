package io.drayage.bench.codecs;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.codecs.work.Combination;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for, as it stands in the result.
 *
 * @param size the size that was asked for; null if the cargo sets its own size
 * @param sizeBytes the same in bytes
 * @param seed of the cargo's values
 * @param rawBytes raw bytes of the cargo; null if it could not be made
 * @param combinations in their order
 * @param measured how it was measured
 */
public record CodecConfig(
    @Nullable String size,
    @Nullable Long sizeBytes,
    String cargo,
    String cargoDescription,
    long seed,
    @Nullable Long rawBytes,
    List<String> combinations,
    Object measured) {
  /** The study has figures for this cargo. */
  private static final String STUDY_CARGO = "thesis";

  /**
   * The cargo that is encoded.
   *
   * @param name as the user wrote it
   * @param size likewise
   */
  public record Cargo(String name, String size, long sizeBytes, long seed) {
    /**
     * Its source.
     *
     * @throws IllegalArgumentException if it is unknown, with one line that tells what would be
     *     right
     */
    public CargoSource source() {
      return CargoSources.parse(name, sizeBytes, seed);
    }

    /** Whether the study has figures for a cargo like this, if it has them for the size. */
    public boolean isTheStudys() {
      return name.equals(STUDY_CARGO);
    }
  }

  /** The configuration of one command. */
  public static CodecConfig of(
      Cargo cargo,
      String description,
      @Nullable Long rawBytes,
      CodecSelection selection,
      Object measured) {
    boolean sizeCounts = CargoSources.sizeCounts(cargo.name());
    return new CodecConfig(
        sizeCounts ? cargo.size() : null,
        sizeCounts ? (Long) cargo.sizeBytes() : null,
        cargo.name(),
        description,
        cargo.seed(),
        rawBytes,
        selection.combinations().stream().map(Combination::toString).toList(),
        measured);
  }
}
