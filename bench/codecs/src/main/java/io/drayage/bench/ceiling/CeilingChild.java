package io.drayage.bench.ceiling;

import com.sun.management.OperatingSystemMXBean;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ChildLoop.Arguments;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.bench.codecs.Combination;
import io.drayage.bench.codecs.Direction;
import io.drayage.bench.codecs.Form;
import io.drayage.bench.codecs.Work;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Main class of a child that measures one row, or is the sink of a socket. {@code CONNECT} makes a
 * sink of it, {@code PREPARE} gives it its {@link Task}, {@code RUN} times it once; {@code BEGIN}
 * and {@code END} enclose what a sink is measured for.
 */
final class CeilingChild {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /**
   * What to measure.
   *
   * @param bytes how many; raw bytes of a cargo for a codec
   * @param codec of {@link CeilingRow.RowKind#ENCODE} and {@link CeilingRow.RowKind#DECODE}
   * @param folder where a file may be written
   * @param sink where {@link CeilingRow.RowKind#SOCKET} sends to
   */
  record Task(
      CeilingRow.RowKind kind,
      long bytes,
      @Nullable String codec,
      String folder,
      @Nullable Listening sink) {}

  /** The child is ready to move this many bytes. */
  record Ready(long bytes) {}

  /**
   * How long one run took.
   *
   * @param cpuNs the processor time of the thread that did it; of a socket, of the process
   * @param proof of no meaning, but the compiler cannot leave out the making of the result
   */
  record Took(long ns, long cpuNs, int proof) {}

  /** Something that is timed again and again; returns what must not be optimised away. */
  private interface Timed {
    Object once() throws Exception;
  }

  private final List<AutoCloseable> open = new ArrayList<>();
  private @Nullable Timed work;
  private long bytes;
  private boolean usesThreads;
  private long sinceCpuNs;

  private CeilingChild() {}

  public static void main(String[] args) throws Exception {
    ChildLoop.serve(new CeilingChild()::handle);
  }

  private @Nullable Object handle(Command command, Arguments arguments) throws Exception {
    return switch (command) {
      case CONNECT -> Listening.at(kept(new RawSocket()).listen(arguments.as(Listening.class)));
      case PREPARE -> {
        Task task = arguments.as(Task.class);
        bytes = task.bytes();
        usesThreads = task.kind() == CeilingRow.RowKind.SOCKET;
        work = work(task);
        yield new Ready(bytes);
      }
      case RUN -> run(Objects.requireNonNull(work));
      case BEGIN -> {
        sinceCpuNs = processCpuNs();
        yield null;
      }
      case END -> processCpuNs() - sinceCpuNs;
      case RESET -> {
        close();
        yield null;
      }
      default -> throw new IllegalStateException("this child cannot " + command);
    };
  }

  /** After a collection, so that the garbage of one run is not collected in the next. */
  private Took run(Timed timed) throws Exception {
    System.gc();
    long startCpuNs = cpuNs();
    long startNs = System.nanoTime();
    Object made = timed.once();
    long ns = System.nanoTime() - startNs;
    return new Took(ns, cpuNs() - startCpuNs, System.identityHashCode(made));
  }

  /** Only a socket has a thread of its own. */
  private long cpuNs() {
    return usesThreads ? processCpuNs() : THREADS.getCurrentThreadCpuTime();
  }

  /** In ticks of 10 ms. */
  private static long processCpuNs() {
    return SYSTEM.getProcessCpuTime();
  }

  private Timed work(Task task) throws Exception {
    return switch (task.kind()) {
      case ENCODE -> codec(task, Direction.SERIALIZATION);
      case DECODE -> codec(task, Direction.DESERIALIZATION);
      case SOCKET -> {
        RawSocket socket = kept(new RawSocket());
        Listening sink = Objects.requireNonNull(task.sink());
        yield () -> socket.send(sink.address(), task.bytes());
      }
      case STORE -> {
        StoreProbe store = kept(new StoreProbe(Path.of(task.folder())));
        yield () -> store.write(task.bytes());
      }
      case IPERF3 -> throw new IllegalArgumentException("iperf3 is a separate process");
    };
  }

  private Timed codec(Task task, Direction direction) throws Exception {
    String[] codec = Objects.requireNonNull(task.codec()).split("\\+", 2);
    Combination combination =
        codec.length == 1
            ? Combination.COPY
            : new Combination(codec[0], codec[1], null, Form.SEGMENTS);
    Work codecWork =
        kept(Work.of(direction, combination, CargoSources.parse("thesis", task.bytes(), 1).load()));
    bytes = codecWork.rawBytes();
    return codecWork::run;
  }

  private <T extends AutoCloseable> T kept(T resource) {
    open.add(resource);
    return resource;
  }

  private void close() throws Exception {
    work = null;
    for (AutoCloseable resource : open) {
      resource.close();
    }
    open.clear();
  }
}
