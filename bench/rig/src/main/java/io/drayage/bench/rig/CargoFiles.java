package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.cargoes.ThesisCargo;
import io.drayage.bench.child.StoredCargo;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.rig.node.JobCargo;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CargoFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The workers' cargoes as files: the measured processes run nothing that makes cargoes, and peers
 * have none of it on their class path. Written when they are first asked for. Not thread-safe.
 */
final class CargoFiles {
  private final Path folder;
  private final Map<CargoSpec, JobCargo> known = new HashMap<>();

  /**
   * @param folder where they are written; its maker deletes it
   */
  CargoFiles(Path folder) {
    this.folder = folder;
  }

  /** The cargo of one worker; why it could not be written stands in it. */
  JobCargo of(CargoSpec spec) {
    return known.computeIfAbsent(
        spec,
        one -> {
          CargoSource source = one.source();
          return new JobCargo(one, source.baseTables(), written(one, source));
        });
  }

  private StoredCargo written(CargoSpec spec, CargoSource source) {
    long maxBytes = 2 * spec.heapBytes();
    boolean wholePages = source instanceof ThesisCargo;
    Path own = folder.resolve(format("cargo-%d.cargo", known.size() + 1));
    try {
      Path file = CargoSources.isGenerated(spec.notation()) ? own : Path.of(spec.notation());
      if (file.equals(own)) {
        write(source, own);
      }
      return new StoredCargo(
          file.toAbsolutePath().toString(), null, maxBytes, source.heapBytes(), wholePages);
    } catch (IOException e) {
      String reason = String.valueOf(e.getClass() == IOException.class ? e.getMessage() : e);
      String why = "its cargo cannot be written to a file in %s: %s".formatted(folder, reason);
      return new StoredCargo(null, why, maxBytes, source.heapBytes(), wholePages);
    }
  }

  /** In little memory, where it can be had so. */
  private void write(CargoSource source, Path file) throws IOException {
    long freeBytes = Files.getFileStore(folder).getUsableSpace();
    if (freeBytes < source.heapBytes()) {
      throw new IOException(
          format("it has about %,d bytes, only %,d are free", source.heapBytes(), freeBytes));
    }
    ChangeCargo cargo = source instanceof ThesisCargo thesis ? thesis.onDemand() : source.load();
    CargoFile.write(cargo, file);
  }
}
