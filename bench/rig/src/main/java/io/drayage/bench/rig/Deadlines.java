package io.drayage.bench.rig;

import java.time.Duration;

/**
 * How long a child may take for a command. Generous: they are there to end a hang, and the slowest
 * compressor on a busy machine manages 2 MB/s.
 *
 * @param prepare to start and to make the cargo
 * @param command for anything but that and an iteration
 * @param run for an iteration
 */
record Deadlines(Duration prepare, Duration command, Duration run) {
  private static final long MB = 1_000_000;

  static Deadlines of(long cargoBytes) {
    long megabytes = cargoBytes / MB;
    return new Deadlines(
        Duration.ofSeconds(120).plusMillis(500 * megabytes),
        Duration.ofSeconds(60).plusMillis(60 * megabytes),
        Duration.ofSeconds(60).plusMillis(500 * megabytes));
  }
}
