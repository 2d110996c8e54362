package io.drayage.bench.ceiling;

import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.codecs.Combination;
import io.drayage.bench.codecs.Direction;
import io.drayage.bench.codecs.Form;
import io.drayage.bench.codecs.Work;
import io.drayage.bench.rig.DiskProbe;
import io.drayage.transport.netty.NativeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * Work that is timed again and again on the calling thread.
 *
 * @param bytes of one run
 * @param run does it once; returns what must not be optimised away
 * @param close releases what the work needs
 */
record CeilingWork(long bytes, Run run, AutoCloseable close) {
  private static final int PIECE_BYTES = 1 << 20;

  /** One run. */
  @FunctionalInterface
  interface Run {
    Object once() throws Exception;
  }

  /**
   * The work of a task.
   *
   * @throws Exception if it cannot be prepared
   */
  static CeilingWork of(CeilingTask task) throws Exception {
    return switch (task.kind()) {
      case ENCODE -> codec(task, Direction.SERIALIZATION);
      case DECODE -> codec(task, Direction.DESERIALIZATION);
      case CHECKSUM -> checksum(task.bytes());
      case SOCKET -> socket(task);
      case DISK -> disk(Path.of(task.folder()), task.bytes());
      case IPERF3 -> throw new IllegalArgumentException("iperf3 is a separate process");
    };
  }

  private static CeilingWork codec(CeilingTask task, Direction direction) throws Exception {
    String codec = Objects.requireNonNull(task.codec());
    int plus = codec.indexOf('+');
    Combination combination =
        plus < 0
            ? Combination.COPY
            : new Combination(
                codec.substring(0, plus), codec.substring(plus + 1), null, Form.SEGMENTS);
    Work work =
        Work.of(direction, combination, CargoSources.parse("thesis", task.bytes(), 1).load());
    return new CeilingWork(work.rawBytes(), work::run, work);
  }

  /** CRC-32C of direct memory, frame after frame of 1 MiB, as codec threads compute it. */
  private static CeilingWork checksum(long bytes) {
    List<ByteBuffer> pieces = new ArrayList<>();
    for (long done = 0; done < bytes; done += PIECE_BYTES) {
      pieces.add(ByteBuffer.allocateDirect((int) Math.min(PIECE_BYTES, bytes - done)));
    }
    return new CeilingWork(
        bytes,
        () -> {
          long sum = 0;
          for (ByteBuffer piece : pieces) {
            CRC32C checksum = new CRC32C();
            checksum.update(piece.clear());
            sum += checksum.getValue();
          }
          return sum;
        },
        pieces::clear);
  }

  private static CeilingWork socket(CeilingTask task) throws IOException, InterruptedException {
    RawSource source =
        RawSource.connect(NativeIo.best(), Objects.requireNonNull(task.sink()).address());
    return new CeilingWork(task.bytes(), () -> source.send(task.bytes()), source);
  }

  /** Writes a file and forces it to the disk. */
  private static CeilingWork disk(Path folder, long bytes) throws IOException {
    DiskProbe disk = new DiskProbe(folder);
    return new CeilingWork(
        bytes,
        () -> {
          disk.write(bytes);
          return disk.file();
        },
        disk);
  }
}
