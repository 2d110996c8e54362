package io.drayage.bench.ceiling;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.link.Link;
import io.drayage.bench.rig.HeapPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The plan of a measurement.
 *
 * @param wireBytes bytes through the socket and to the disk
 * @param codecBytes raw bytes of the cargo that one core encodes or decodes
 * @param iterations measured iterations of each row
 * @param warmup iterations of each before them
 * @param disk a folder for files
 * @param logs the folder for the children's logs; it exists
 * @param link the path of the socket; the caller closes it
 */
public record CeilingPlan(
    List<CeilingRow> rows,
    long wireBytes,
    long codecBytes,
    int iterations,
    int warmup,
    Path disk,
    Path logs,
    Link link) {
  private static final long MB = 1_000_000;

  /** Returns a generous deadline, which only ends a hang. */
  Duration deadline() {
    return Duration.ofMinutes(2).plusMillis(500 * ((wireBytes + codecBytes) / MB));
  }

  /** Number of steps: one for every iteration of every row. */
  public int steps() {
    return rows.size() * (warmup + iterations);
  }

  /** Bytes of one iteration of a row; over a link at most the bytes of a second. */
  long bytesOf(CeilingRow row) {
    if (row.isPath()) {
      Long perSecond = link.bytesPerSecondOfWorker();
      return perSecond == null ? wireBytes : Math.min(wireBytes, perSecond);
    }
    return row.equals(CeilingRow.STORE) ? wireBytes : codecBytes;
  }

  public List<String> jvmOptions() {
    CargoSource cargo = CargoSources.parse("thesis", codecBytes, 1);
    return HeapPlan.of(cargo.heapBytes(), cargo.loadingHeapBytes()).workerOptions();
  }
}
