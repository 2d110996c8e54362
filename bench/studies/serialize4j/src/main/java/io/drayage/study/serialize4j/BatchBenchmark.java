package io.drayage.study.serialize4j;

import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

@State(Scope.Thread)
public class BatchBenchmark {
  @Param("Java IO")
  public String system = "";

  @Param("SingleBoolean")
  public String type = "";

  @Param("1000")
  public int objects;

  @Param("1")
  public long seed;

  private Library library = Libraries.ofName("Java IO", Beans.SingleBoolean.class);
  private List<Object> source = List.of();
  private List<byte[]> written = List.of();

  @Setup
  public void prepare() throws IOException {
    source = Beans.make(type, objects, seed);
    library = Libraries.ofName(system, source.get(0).getClass());
    written = library.write(source);
  }

  @Benchmark
  public Object write() throws IOException {
    return library.write(source);
  }

  @Benchmark
  public Object read() throws IOException {
    return library.read(written);
  }
}
