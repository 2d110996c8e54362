package io.drayage.bench.codecs;

import io.drayage.bench.ByteSize;
import io.drayage.bench.codecs.work.CargoWriter;
import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.cargo.ChangeCargo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures the sizes of one cargo, as many combinations at a time as there are cores: sizes do not
 * depend on the load of the machine.
 *
 * @param rawBytes raw bytes of the cargo
 * @param published figures of the study, in MB
 * @param sizeBytes the size of the cargo that was asked for
 */
public record SizeMeasurement(
    ChangeCargo cargo, long rawBytes, PublishedFigures published, long sizeBytes) {
  private static final long BYTES_PER_MB = 1_000_000;

  /** How many combinations are measured at a time. */
  public static int threads() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** One row for each combination, in their order; the display shows them as they are done. */
  public List<SizeRow> run(List<Combination> combinations, StepDisplay display)
      throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(threads());
    try {
      AtomicInteger done = new AtomicInteger();
      List<Future<SizeRow>> futures = new ArrayList<>();
      for (Combination combination : combinations) {
        futures.add(
            pool.submit(
                () -> {
                  SizeRow row = measure(combination);
                  String outcome =
                      row.bytes() == null ? "FAILED, " + row.error() : ByteSize.format(row.bytes());
                  synchronized (display) {
                    display.step(
                        done.incrementAndGet(), combinations.size(), combination + ": " + outcome);
                  }
                  return row;
                }));
      }
      List<SizeRow> rows = new ArrayList<>();
      for (Future<SizeRow> future : futures) {
        rows.add(future.get());
      }
      return rows;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a measurement failed without a result", e);
    } finally {
      pool.shutdownNow();
    }
  }

  private SizeRow measure(Combination combination) throws InterruptedException {
    Double publishedMegabytes = combination.published(published, sizeBytes);
    Long publishedBytes =
        publishedMegabytes == null ? null : Math.round(publishedMegabytes * BYTES_PER_MB);
    try {
      return SizeRow.of(
          combination, CargoWriter.countBytes(cargo, combination), rawBytes, publishedBytes);
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      return SizeRow.failed(combination, publishedBytes, Failures.describe(e));
    }
  }
}
