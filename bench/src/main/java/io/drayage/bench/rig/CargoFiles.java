package io.drayage.bench.rig;

import io.drayage.bench.cargo.CargoSource;
import io.drayage.bench.cargo.CargoSources;
import io.drayage.bench.cargo.StreamableSource;
import io.drayage.cargo.ChangeCargo;
import io.drayage.file.CargoFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The workers' cargoes as files, for peers, which have none of the sources on their class path.
 * Written when they are first asked for; for one thread.
 */
final class CargoFiles {
  private final RigPlan plan;
  private final Path folder;
  private final List<Path> files = new ArrayList<>();

  /**
   * @param folder where they are written; whoever made it deletes it
   */
  CargoFiles(RigPlan plan, Path folder) {
    this.plan = plan;
    this.folder = folder;
  }

  /** One of each worker. */
  List<Path> ofWorkers() throws IOException {
    for (int i = files.size(); i < plan.workers(); i++) {
      Path file = folder.resolve("worker-%d.cargo".formatted(i + 1));
      CargoFile.write(cargo(plan.seed() + i), file);
      files.add(file);
    }
    return List.copyOf(files);
  }

  /** In little memory, where it can be had so. */
  private ChangeCargo cargo(long seed) throws IOException {
    CargoSource source = CargoSources.parse(plan.cargo(), plan.sizeBytes(), seed);
    long freeBytes = Files.getFileStore(folder).getUsableSpace();
    if (freeBytes < source.heapBytes()) {
      throw new IOException(
          "a peer reads its cargo of about %,d bytes from a file, and only %,d are free for it in %s"
              .formatted(source.heapBytes(), freeBytes, folder));
    }
    return source instanceof StreamableSource streamable
        ? streamable.streaming(bytes -> {})
        : source.load();
  }
}
