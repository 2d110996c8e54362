package io.drayage.study.chronicle;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Writes or reads one object repeatedly, so that everything is in the nearest CPU cache, as
 * published, or the next of many with each call. Writes always go to the same memory.
 */
@State(Scope.Thread)
public class CallBenchmark {
  @Param("default")
  public String system = "";

  @Param("false")
  public boolean isRandom;

  @Param("1")
  public long seed;

  private MarketDataSystem chosen = ComparedSystems.ofName("default");

  @Param("1")
  public int objects;

  private MarketData source = new MarketData();
  private MarketData target = new MarketData();
  private MarketData[] sources = {};
  private MarketData[] targets = {};
  private int next;

  @Setup
  public void prepare() throws IOException {
    chosen.close();
    chosen = ComparedSystems.ofName(system);
    source = ComparedSystems.object(chosen, isRandom, seed);
    target = chosen.newObject();
    sources = new MarketData[objects];
    targets = new MarketData[objects];
    for (int i = 0; i < objects; i++) {
      sources[i] = ComparedSystems.object(chosen, isRandom, seed + i);
      targets[i] = chosen.newObject();
    }
    chosen.write(source);
  }

  @Benchmark
  public long write() throws IOException {
    return chosen.write(source);
  }

  @Benchmark
  public Object read() throws IOException {
    return chosen.read(target);
  }

  @Benchmark
  public long writeNext() throws IOException {
    return chosen.write(sources[advance()]);
  }

  @Benchmark
  public Object readNext() throws IOException {
    return chosen.read(targets[advance()]);
  }

  private int advance() {
    int current = next;
    next = current + 1 == objects ? 0 : current + 1;
    return current;
  }

  @TearDown
  public void close() {
    chosen.close();
  }
}
