package io.drayage.bench.codecs;

import com.google.common.io.CountingOutputStream;
import io.drayage.bench.ByteSize;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures the sizes of one cargo, in as many combinations at a time as there are cores: sizes do
 * not depend on the load of the machine.
 *
 * @param published figures of the study, in MB
 * @param sizeBytes the size that the user asked for
 */
public record SizeMeasurement(ChangeCargo cargo, PublishedFigures published, long sizeBytes) {
  private static final long BYTES_PER_MB = 1_000_000;

  /** Number of combinations that are measured at a time. */
  public static int threads() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Returns one row for each combination, in their order; the display shows the finished ones. */
  public List<SizeRow> run(List<Combination> combinations, StepDisplay display) {
    AtomicInteger done = new AtomicInteger();
    return combinations.parallelStream()
        .map(
            combination -> {
              SizeRow row = measure(combination);
              String outcome =
                  row.bytes() == null ? "FAILED, " + row.error() : ByteSize.format(row.bytes());
              synchronized (display) {
                display.step(
                    done.incrementAndGet(), combinations.size(), combination + ": " + outcome);
              }
              return row;
            })
        .toList();
  }

  private SizeRow measure(Combination combination) {
    Double publishedMegabytes = combination.published(published, sizeBytes);
    Long publishedBytes =
        publishedMegabytes == null ? null : Math.round(publishedMegabytes * BYTES_PER_MB);
    try {
      long bytes = encodedBytes(combination);
      double ratio = (double) CargoSize.rawBytes(cargo) / bytes;
      return new SizeRow(combination, bytes, ratio, publishedBytes, null);
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      return new SizeRow(combination, null, null, publishedBytes, CodecRow.reason(e));
    }
  }

  /** Bytes of the whole stream; of segments, the bytes of all frames, as in a raw stream. */
  private long encodedBytes(Combination combination) throws IOException {
    if (combination.form() == Form.SEGMENTS) {
      return combination.newFrames().write(cargo, OutputStream.nullOutputStream());
    }
    CountingOutputStream counter = new CountingOutputStream(OutputStream.nullOutputStream());
    StreamWork.write(cargo, combination, counter);
    return counter.getCount();
  }
}
