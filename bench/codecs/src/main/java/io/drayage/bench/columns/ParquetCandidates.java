package io.drayage.bench.columns;

import io.drayage.cargo.ColumnValues;
import io.drayage.tables.ParquetTrial;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parquet as codecs of columns: with its writer's defaults, and with Zstandard. */
final class ParquetCandidates implements AutoCloseable {
  private final ParquetTrial trial;
  private @Nullable ColumnSample loaded;

  /**
   * Creates both codecs.
   *
   * @param trial is closed with this
   */
  ParquetCandidates(ParquetTrial trial) {
    this.trial = trial;
  }

  List<Candidate> candidates() {
    return List.of(new Parquet(Codecs.PARQUET), new Parquet(Codecs.PARQUET_ZSTD));
  }

  String version() {
    return trial.version();
  }

  private final class Parquet implements Candidate {
    private final String name;

    Parquet(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public @Nullable String take(ColumnSample sample) throws IOException {
      if (!(sample.content() instanceof ColumnValues values)) {
        return "does not support bits of rows";
      }
      if (loaded == null || loaded.content() != values) {
        trial.load(values);
      }
      loaded = sample;
      return null;
    }

    @Override
    public Pass pass(int times) throws IOException {
      long bytes = 0;
      long writeNs = 0;
      long readNs = 0;
      for (int i = 0; i < times; i++) {
        ParquetTrial.Pass pass = trial.pass(name.equals(Codecs.PARQUET_ZSTD));
        bytes = pass.bytes();
        writeNs += pass.writeNs();
        readNs += pass.readNs();
      }
      return new Pass(bytes, writeNs, readNs);
    }

    @Override
    public void verify() throws IOException {
      pass(1);
      if (loaded != null) {
        loaded.verify(trial.read(), name);
      }
    }

    @Override
    public void close() {
      // Both codecs share the trial.
    }
  }

  @Override
  public void close() {
    trial.close();
  }
}
