package io.drayage.study.hazelcast;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** Runs one pass over all persons. */
@State(Scope.Thread)
public class PassBenchmark {
  @Param("Serializable")
  public String system = "";

  @Param("100000")
  public int objects;

  @Param("1")
  public long seed;

  private Option option = Options.ofName("Serializable");
  private List<?> own = List.of();
  private final List<byte[]> written = new ArrayList<>();

  @Setup
  public void prepare() throws IOException {
    option = Options.ofName(system);
    own = option.own(Persons.make(objects, seed));
    for (Object each : own) {
      written.add(option.write(each));
    }
  }

  @Benchmark
  public void write(Blackhole sink) throws IOException {
    for (Object each : own) {
      sink.consume(option.write(each));
    }
  }

  @Benchmark
  public void read(Blackhole sink) throws IOException {
    for (byte[] bytes : written) {
      sink.consume(option.read(bytes));
    }
  }
}
