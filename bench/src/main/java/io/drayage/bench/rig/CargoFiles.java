package io.drayage.bench.rig;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.cargoes.ThesisCargo;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CargoFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The workers' cargoes as files, for peers, which have none of the sources on their class path.
 * Written when they are first asked for. A disk that is full costs the peers, and nobody else. For
 * one thread.
 */
final class CargoFiles {
  private final RigPlan plan;
  private final Path folder;

  /** Empty until they are asked for. */
  private List<OfWorker> written = List.of();

  /**
   * The cargo of one worker.
   *
   * @param file its name; null if it could not be written
   * @param whyNone why, in a line; null if it was
   */
  record OfWorker(@Nullable String file, @Nullable String whyNone) {}

  /**
   * @param folder where they are written; its maker deletes it
   */
  CargoFiles(RigPlan plan, Path folder) {
    this.plan = plan;
    this.folder = folder;
  }

  /** One of each worker, all written or none. */
  List<OfWorker> ofWorkers() {
    if (written.isEmpty()) {
      written = write();
    }
    return written;
  }

  private List<OfWorker> write() {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < plan.delivery().workers(); i++) {
      Path file = folder.resolve("worker-%d.cargo".formatted(i + 1));
      try {
        CargoFile.write(cargo(plan.cargo().seed() + i), file);
      } catch (IOException e) {
        deleteAll(files);
        String why = "its cargo cannot be written to a file in %s: %s".formatted(folder, reason(e));
        return Collections.nCopies(plan.delivery().workers(), new OfWorker(null, why));
      }
      files.add(file);
    }
    return files.stream().map(file -> new OfWorker(file.toString(), null)).toList();
  }

  private static String reason(IOException e) {
    return String.valueOf(e.getClass() == IOException.class ? e.getMessage() : e);
  }

  /** Others need the space. What cannot be deleted goes with the folder. */
  private static void deleteAll(List<Path> files) {
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        System.getLogger(CargoFiles.class.getName())
            .log(System.Logger.Level.WARNING, "{0} stays for now: {1}", file, e.toString());
      }
    }
  }

  /** In little memory, where it can be had so. */
  private ChangeCargo cargo(long seed) throws IOException {
    CargoSource source =
        CargoSources.parse(plan.cargo().notation(), plan.cargo().sizeBytes(), seed);
    long freeBytes = Files.getFileStore(folder).getUsableSpace();
    if (freeBytes < source.heapBytes()) {
      throw new IOException(
          "it has about %,d bytes, only %,d are free".formatted(source.heapBytes(), freeBytes));
    }
    return source instanceof ThesisCargo streamable
        ? streamable.streaming(bytes -> {})
        : source.load();
  }
}
