package io.drayage.bench.codecs;

import io.drayage.bench.cargoes.CargoSources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for, as it stands in the result.
 *
 * @param size the size that was asked for; null if the cargo has a size of its own
 * @param sizeBytes the same in bytes
 * @param cargo what was asked to be encoded
 * @param cargoDescription what that is
 * @param seed of the cargo's values
 * @param rawBytes raw bytes of the cargo; null if it could not be made
 * @param combinations in their order
 * @param measured how it was measured
 */
record CodecConfig(
    @Nullable String size,
    @Nullable Long sizeBytes,
    String cargo,
    String cargoDescription,
    long seed,
    @Nullable Long rawBytes,
    List<String> combinations,
    Object measured) {

  static CodecConfig of(
      CodecOptions options,
      String description,
      @Nullable Long rawBytes,
      Selection selection,
      Object measured) {
    return new CodecConfig(
        CargoSources.sizeCounts(options.from.cargo) ? options.size.text() : null,
        CargoSources.sizeCounts(options.from.cargo) ? options.size.bytes() : null,
        options.from.cargo,
        description,
        options.from.seed,
        rawBytes,
        selection.combinations().stream().map(Combination::toString).toList(),
        measured);
  }
}
