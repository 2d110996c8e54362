package io.drayage.bench.codecs.work;

import com.sun.management.ThreadMXBean;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.result.JsonFile;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How long one codec takes for one cargo: an operation is a whole cargo, each timed by itself.
 * Parameters come from the commands; all of them must be given.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {
  /** Stands for the compressor's default level. */
  public static final String DEFAULT_LEVEL = "default";

  /** Stands for the calling thread alone. */
  public static final String NO_THREADS = "none";

  /** A {@link Direction}. */
  @Param("")
  public String direction = "";

  @Param("")
  public String serializer = "";

  @Param("")
  public String compressor = "";

  /** Of the compressor; {@link #DEFAULT_LEVEL} for its default. */
  @Param(DEFAULT_LEVEL)
  public String level = "";

  /** A {@link Form}, by its name. */
  @Param("")
  public String form = "";

  /** Of a sender; {@link #NO_THREADS} for none. */
  @Param(NO_THREADS)
  public String codecThreads = "";

  @Param("")
  public String cargo = "";

  @Param("0")
  public long sizeBytes;

  @Param("0")
  public long seed;

  /** The file to write {@link WorkFacts} to. */
  @Param("")
  public String facts = "";

  private @Nullable Work work;
  private long digest;

  /** Makes the cargo; when reading is measured, only its bytes are kept. */
  @Setup(Level.Trial)
  public void prepare() throws Exception {
    ChangeCargo source = CargoSources.parse(cargo, sizeBytes, seed).load();
    digest = CargoDigest.of(source);
    work = Work.of(Direction.valueOf(direction), combination(), source);
  }

  private Combination combination() {
    Integer chosen = level.equals(DEFAULT_LEVEL) ? null : Integer.valueOf(level);
    Integer threads = codecThreads.equals(NO_THREADS) ? null : Integer.valueOf(codecThreads);
    return new Combination(serializer, compressor, chosen, Form.valueOf(form), threads);
  }

  /** One cargo. */
  @Benchmark
  public Object oneCargo() throws Exception {
    return requireWork().run();
  }

  /** What costs time or would change what the compiler knows: after the measurement. */
  @TearDown(Level.Trial)
  public void verify() throws Exception {
    try (Work done = requireWork()) {
      long allocatedBytes = allocatedByOneRun(done);
      done.verify(digest);
      JsonFile.write(
          Path.of(facts),
          new WorkFacts(done.rawBytes(), done.encodedBytes(), done.segments(), allocatedBytes));
    }
  }

  private static long allocatedByOneRun(Work work) throws Exception {
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    long[] ids = threads.getAllThreadIds();
    long before = allocatedBytes(threads, ids);
    work.run();
    return allocatedBytes(threads, ids) - before;
  }

  /** By all threads: codec threads allocate too. */
  private static long allocatedBytes(ThreadMXBean threads, long[] ids) {
    return Arrays.stream(threads.getThreadAllocatedBytes(ids)).filter(bytes -> bytes > 0).sum();
  }

  private Work requireWork() {
    if (work == null) {
      throw new IllegalStateException("the benchmark was not prepared");
    }
    return work;
  }
}
