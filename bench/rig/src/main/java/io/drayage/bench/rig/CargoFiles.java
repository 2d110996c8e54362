package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.cargoes.ThesisCargo;
import io.drayage.bench.child.EffectDigest;
import io.drayage.bench.child.StoredCargo;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.rig.node.JobCargo;
import io.drayage.cargo.CargoCutter;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CargoFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The workers' cargoes as files, so that the measured processes run no code that makes cargoes;
 * peers do not have that code. A file is written when it is first needed. Not thread-safe.
 */
final class CargoFiles {
  private final Path folder;
  private final Map<CargoSpec, JobCargo> known = new HashMap<>();
  private final Map<Integer, Shares> shares = new HashMap<>();
  private int written;

  /**
   * @param folder for the files; its maker deletes it
   */
  CargoFiles(Path folder) {
    this.folder = folder;
  }

  /**
   * A cargo in shares, one for each worker.
   *
   * @param digest the {@link EffectDigest} of the whole
   */
  record Shares(List<JobCargo> cargoes, long digest) {}

  /** Returns the shares of a cargo, or the reasons why they could not be written. */
  Shares shares(CargoSpec spec, int workers) {
    return shares.computeIfAbsent(
        workers,
        count -> {
          CargoSource source = spec.source();
          ChangeCargo whole = source.onDemand();
          List<ChangeCargo> pieces = CargoCutter.cutInto(whole, count);
          List<JobCargo> cargoes = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            ChangeCargo piece =
                i < pieces.size()
                    ? pieces.get(i)
                    : ChangeCargo.builder(UUID.randomUUID(), whole.baseSnapshot()).build();
            StoredCargo stored =
                stored(
                    spec,
                    source,
                    false,
                    file -> CargoFile.write(piece.as(piece.transactionId(), 0), file));
            cargoes.add(new JobCargo(spec, source.baseTables(), stored));
          }
          return new Shares(List.copyOf(cargoes), EffectDigest.of(whole));
        });
  }

  /** Returns the cargo of one worker, or the reason why it could not be written. */
  JobCargo of(CargoSpec spec) {
    return known.computeIfAbsent(
        spec,
        one -> {
          CargoSource source = one.source();
          return new JobCargo(one, source.baseTables(), written(one, source));
        });
  }

  private StoredCargo written(CargoSpec spec, CargoSource source) {
    boolean wholePages = source instanceof ThesisCargo;
    if (CargoSources.isGenerated(spec.notation())) {
      return stored(spec, source, wholePages, file -> write(source, file));
    }
    Path file = Path.of(spec.notation()).toAbsolutePath();
    return new StoredCargo(
        file.toString(), null, 2 * spec.heapBytes(), source.heapBytes(), wholePages);
  }

  /** Writes a cargo to a file. */
  private interface Writing {
    void to(Path file) throws IOException;
  }

  private StoredCargo stored(
      CargoSpec spec, CargoSource source, boolean wholePages, Writing writing) {
    long maxBytes = 2 * spec.heapBytes();
    Path file = folder.resolve(format("cargo-%d.cargo", ++written));
    try {
      writing.to(file);
      return new StoredCargo(
          file.toAbsolutePath().toString(), null, maxBytes, source.heapBytes(), wholePages);
    } catch (IOException e) {
      String reason = String.valueOf(e.getClass() == IOException.class ? e.getMessage() : e);
      String why = "its cargo cannot be written to a file in %s: %s".formatted(folder, reason);
      return new StoredCargo(null, why, maxBytes, source.heapBytes(), wholePages);
    }
  }

  /** Writes a cargo, with little memory if its source allows that. */
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
