package io.drayage.bench.columnar;

import io.drayage.columnar.decimal.AlpDoubles;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many bytes of doubles a core turns into integers in a nanosecond, and back: GB/s, since an
 * operation is a byte. Each invocation takes the next {@value #CHUNK} of {@value #VALUES} values,
 * so that they come from memory.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DoubleKernels {
  private static final int CHUNK = 65_536;
  private static final int CHUNK_BYTES = CHUNK * Double.BYTES;
  private static final int VALUES = 128 * CHUNK;
  private static final int MINI = 1_024;
  private static final int TWO_DECIMALS = 2;
  private static final long SEED = 1;

  private final double[] prices = new double[VALUES];
  private final double[] target = new double[VALUES];
  private final long[] integers = new long[CHUNK];
  private final double[] window = new double[MINI];
  private final long[] wideWindow = new long[MINI];
  private final int[] exceptionAt = new int[MINI];
  private int next;

  /** Prices, and what they are made of. */
  @Setup
  public void prepare() {
    Random random = new Random(SEED);
    for (int i = 0; i < VALUES; i++) {
      prices[i] = random.nextInt(1_000_000) / 100.0;
    }
    for (int i = 0; i < CHUNK; i++) {
      integers[i] = random.nextInt(1_000_000);
    }
  }

  private int nextChunk() {
    next = (next + CHUNK) % VALUES;
    return next;
  }

  /** Doubles to integers. */
  @Benchmark
  @OperationsPerInvocation(CHUNK_BYTES)
  public int alpEncode() {
    int chunk = nextChunk();
    int exceptions = 0;
    for (int from = 0; from < CHUNK; from += MINI) {
      System.arraycopy(prices, chunk + from, window, 0, MINI);
      exceptions += AlpDoubles.encode(window, MINI, TWO_DECIMALS, wideWindow, exceptionAt);
    }
    return exceptions;
  }

  /** Integers to doubles. */
  @Benchmark
  @OperationsPerInvocation(CHUNK_BYTES)
  public double[] alpDecode() {
    int chunk = nextChunk();
    for (int from = 0; from < CHUNK; from += MINI) {
      System.arraycopy(integers, from, wideWindow, 0, MINI);
      AlpDoubles.decode(wideWindow, MINI, TWO_DECIMALS, window);
      System.arraycopy(window, 0, target, chunk + from, MINI);
    }
    return target;
  }

  /** What is chosen from 4,096 values, for a chunk of 65,536. */
  @Benchmark
  @OperationsPerInvocation(CHUNK_BYTES)
  public int alpChoose() {
    return AlpDoubles.choose(prices, 4_096);
  }
}
