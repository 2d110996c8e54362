package io.drayage.bench.ceiling;

import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.ceiling.CeilingMessages.Task;
import io.drayage.bench.codecs.Combination;
import io.drayage.bench.codecs.Form;
import io.drayage.bench.codecs.work.Direction;
import io.drayage.bench.codecs.work.Work;
import java.nio.file.Path;
import java.util.Objects;

/** Something that can be done again and again, on the calling thread. */
interface Measured extends AutoCloseable {
  /** Bytes of one run. */
  long bytes();

  /** Does it once. Returns what must not be optimised away. */
  Object run() throws Exception;

  @Override
  void close();

  /**
   * What a task says.
   *
   * @throws Exception if it cannot be prepared
   */
  static Measured of(Task task) throws Exception {
    return switch (task.kind()) {
      case ENCODE -> codec(task, Direction.SERIALIZATION);
      case DECODE -> codec(task, Direction.DESERIALIZATION);
      case CHECKSUM -> new ChecksumRun(task.bytes());
      case DISK -> new DiskRun(Path.of(task.folder()), task.bytes());
      case SOCKET, IPERF3 -> throw new IllegalArgumentException("a path takes two processes");
    };
  }

  private static Measured codec(Task task, Direction direction) throws Exception {
    String codec = Objects.requireNonNull(task.codec());
    Combination combination = Combination.COPY;
    int plus = codec.indexOf('+');
    if (plus > 0) {
      String compressor = codec.substring(plus + 1);
      combination = new Combination(codec.substring(0, plus), compressor, null, Form.SEGMENTS);
    }
    Work work =
        Work.of(direction, combination, CargoSources.parse("thesis", task.bytes(), 1).load());
    return new CodecRun(work);
  }

  /** A codec, or a plain copy. */
  record CodecRun(Work work) implements Measured {
    @Override
    public long bytes() {
      return work.rawBytes();
    }

    @Override
    public Object run() throws Exception {
      return work.run();
    }

    @Override
    public void close() {
      work.close();
    }
  }
}
