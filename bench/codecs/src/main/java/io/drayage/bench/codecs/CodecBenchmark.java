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
 * Times one codec with one cargo: an operation is a whole cargo, each timed separately. Run by
 * {@link CodecTiming}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {
  /** The task of a measurement. */
  record Task(
      Direction direction, Combination combination, String cargo, long sizeBytes, long seed) {}

  /** The JSON file with the {@link Task}; {@link TimingRow.Volume} is written to it afterwards. */
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

  /** Verifies after the measurement, because it costs time and may influence the JIT compiler. */
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

  /** Bytes that all threads have allocated, including codec threads. */
  private static long allocatedBytes() {
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
        .filter(bytes -> bytes > 0)
        .sum();
  }
}
