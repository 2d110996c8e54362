package io.drayage.bench.ceiling;

import io.drayage.bench.link.Link;
import io.drayage.bench.rig.HeapPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What is to be measured.
 *
 * @param wireBytes bytes through the socket and to the disk
 * @param codecBytes raw bytes of the cargo that one core turns
 * @param iterations measured iterations of each row
 * @param warmup iterations of each before them
 * @param disk where a file may be written
 * @param heap the memory of a child
 * @param logs the folder for the children's logs; it exists
 * @param link what the socket goes over; stays the caller's
 */
record CeilingPlan(
    long wireBytes,
    long codecBytes,
    int iterations,
    int warmup,
    Path disk,
    HeapPlan heap,
    Path logs,
    Link link) {
  private static final long MB = 1_000_000;

  /** Generous: it is there to end a hang. */
  Duration deadline() {
    return Duration.ofMinutes(2).plusMillis(500 * ((wireBytes + codecBytes) / MB));
  }

  /** A step for every iteration of every row. */
  int steps() {
    return CeilingRow.ALL.size() * (warmup + iterations);
  }

  List<String> jvmOptions() {
    return heap.workerOptions();
  }
}
