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
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a child that measures one row, or is the sink of a socket. {@code CONNECT}
 * makes it a sink, {@code PREPARE} sets its {@link Task}, {@code RUN} times the task once; {@code
 * BEGIN} and {@code END} enclose a measurement of the sink.
 */
final class CeilingChild {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /**
   * The task of a measurement.
   *
   * @param bytes the number of bytes; raw bytes of a cargo for a codec
   * @param codec of {@link CeilingRow.RowKind#ENCODE} and {@link CeilingRow.RowKind#DECODE}
   * @param folder a folder for files
   * @param sink the address to which a socket sends; null for the sink itself
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
   * The times of one run.
   *
   * @param cpuNs the CPU time of the threads that ran it; of a socket, of the process
   * @param proof a meaningless number, so that the compiler cannot omit the result
   */
  record Took(long ns, long cpuNs, int proof) {}

  /** Work that is timed repeatedly; returns a result that must not be optimised away. */
  private interface Timed {
    Object once() throws Exception;
  }

  private final List<AutoCloseable> open = new ArrayList<>();
  private @Nullable Timed work;
  private long bytes;
  private LongSupplier cpuNs = THREADS::getCurrentThreadCpuTime;
  private @Nullable OnePass pass;
  private long sinceCpuNs;

  private CeilingChild() {}

  public static void main(String[] args) throws Exception {
    ChildLoop.serve(new CeilingChild()::handle);
  }

  private @Nullable Object handle(Command command, Arguments arguments) throws Exception {
    return switch (command) {
      case CONNECT -> Listening.at(listen(arguments.as(Listening.class)));
      case PREPARE -> {
        Task task = arguments.as(Task.class);
        bytes = task.bytes();
        work = work(task);
        yield new Ready(bytes);
      }
      case RUN -> run(Objects.requireNonNull(work));
      case BEGIN -> {
        sinceCpuNs = cpuNs.getAsLong();
        yield null;
      }
      case END -> cpuNs.getAsLong() - sinceCpuNs;
      case RESET -> {
        close();
        yield null;
      }
      default -> throw new IllegalStateException("this child does not support " + command);
    };
  }

  /** Collects garbage before the run, so that the next run does not collect it. */
  private Took run(Timed timed) throws Exception {
    System.gc();
    long startCpuNs = cpuNs.getAsLong();
    long startNs = System.nanoTime();
    Object made = timed.once();
    long ns = System.nanoTime() - startNs;
    return new Took(ns, cpuNs.getAsLong() - startCpuNs, System.identityHashCode(made));
  }

  private InetSocketAddress listen(Listening address) throws IOException {
    return pass == null ? kept(new RawSocket()).listen(address) : pass.listen(address, bytes);
  }

  private Timed work(Task task) throws Exception {
    return switch (task.kind()) {
      case ENCODE -> codec(task, Direction.SERIALIZATION);
      case DECODE -> codec(task, Direction.DESERIALIZATION);
      case SOCKET -> {
        cpuNs = SYSTEM::getProcessCpuTime; // A socket has its own threads.
        Listening sink = task.sink();
        RawSocket socket = kept(new RawSocket());
        yield () -> socket.send(Objects.requireNonNull(sink).address(), task.bytes());
      }
      case PASS_WIRE, PASS_MEMORY, PASS_STORED -> {
        OnePass own = kept(new OnePass(task.kind(), Path.of(task.folder())));
        pass = own;
        bytes = own.rounded(task.bytes());
        cpuNs = own::cpuNs;
        Listening sink = task.sink();
        yield () -> own.send(Objects.requireNonNull(sink).address(), task.bytes());
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
