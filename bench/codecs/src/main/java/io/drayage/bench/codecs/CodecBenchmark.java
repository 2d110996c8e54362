package io.drayage.bench.codecs;

import com.sun.management.ThreadMXBean;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.result.JsonFile;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
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
 * How long one codec takes for one cargo: an operation is a whole cargo, each timed by itself. Run
 * by {@link CodecTiming}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {
  /** What is timed. */
  record Task(
      Direction direction, Combination combination, String cargo, long sizeBytes, long seed) {}

  /** The JSON file with the {@link Task}; takes the {@link TimingRow.Volume} afterwards. */
  @Param("")
  public String task = "";

  private @Nullable Work work;
  private long digest;

  /** Makes the cargo; when reading is measured, only its bytes are kept. */
  @Setup(Level.Trial)
  public void prepare() throws Exception {
    Task given = JsonFile.read(Path.of(task), Task.class);
    ChangeCargo cargo = CargoSources.parse(given.cargo, given.sizeBytes, given.seed).load();
    digest = CargoDigest.of(cargo);
    work = Work.of(given.direction, given.combination, cargo);
  }

  @Benchmark
  public Object oneCargo() throws Exception {
    return Objects.requireNonNull(work).run();
  }

  /** What costs time or would change what the compiler knows: after the measurement. */
  @TearDown(Level.Trial)
  public void verify() throws Exception {
    try (Work done = Objects.requireNonNull(work)) {
      long before = allocatedBytes();
      done.run();
      long allocBytes = allocatedBytes() - before;
      done.verify(digest);
      JsonFile.write(
          Path.of(task),
          new TimingRow.Volume(
              done.rawBytes(),
              done.encodedBytes(),
              allocBytes,
              done.segments() == 0 ? null : (Long) (allocBytes / done.segments())));
    }
  }

  /** By all threads: codec threads allocate too. */
  private static long allocatedBytes() {
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
        .filter(bytes -> bytes > 0)
        .sum();
  }
}
