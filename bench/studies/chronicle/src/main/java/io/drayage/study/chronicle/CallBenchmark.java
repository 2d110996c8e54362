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
 * published.
 */
@State(Scope.Thread)
public class CallBenchmark {
  @Param("default")
  public String system = "";

  private MarketDataSystem chosen = ComparedSystems.ofName("default");
  private MarketData source = new MarketData();
  private MarketData target = new MarketData();

  @Setup
  public void prepare() throws IOException {
    chosen.close();
    chosen = ComparedSystems.ofName(system);
    source = chosen.newObject();
    target = chosen.newObject();
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

  @TearDown
  public void close() {
    chosen.close();
  }
}
