package io.drayage.bench.system;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.Levels;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SystemNotationTest {
  private static final SystemNotation NOTATION =
      new SystemNotation(
          List.of("grpc", "netty", "netty-io_uring"),
          new Parts(
              List.of("java", "kryo-unsafe", "raw"),
              Map.of("none", Levels.NONE, "zstd", new Levels(-5, 22, 3)),
              null),
          Map.of(
              "peer",
              new Parts(
                  List.of("own"), Map.of("none", Levels.NONE, "zip", new Levels(1, 3, 2)), null)));

  @ParameterizedTest
  @CsvSource({
    "grpc:java+none, grpc, java, none, ,",
    "peer:own+zip:3, peer, own, zip, 3,",
    "netty-io_uring:kryo-unsafe+zstd:-1@4, netty-io_uring, kryo-unsafe, zstd, -1, 4"
  })
  void readsEachPart(
      String text,
      String transport,
      String serializer,
      String compressor,
      @Nullable Integer level,
      @Nullable Integer threads) {
    assertThat(NOTATION.parse(text))
        .isEqualTo(new SystemUnderTest(transport, serializer, compressor, level, threads));
  }

  @Test
  void knowsArrowFlightByItsNameAlone() {
    assertThat(Systems.notation().parse("arrow-flight"))
        .isEqualTo(Systems.notation().parse("arrow-flight:arrow+none"))
        .isEqualTo(new SystemUnderTest("arrow-flight", "arrow", "none", null, null));
  }

  @Test
  void readsCoresAsAllThereAre() {
    SystemUnderTest system = NOTATION.parse("netty:raw+none@cores");
    assertThat(system.isParallel()).isTrue();
    assertThat(system.threadCount()).isEqualTo(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void choosesThePipelineByTheThreads() {
    assertThat(NOTATION.parse("netty:raw+none").isParallel()).isFalse();
    assertThat(NOTATION.parse("netty:raw+none@1").isParallel()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "grpc:java+none",
        "netty:raw+none@2",
        "netty:raw+none@cores",
        "netty:raw+zstd:1@cores",
        "netty:raw+zstd:-5",
        "arrow-flight",
        "arrow-flight:arrow+zstd",
        "arrow-flight:arrow+zstd:1",
        "socket:kryo-tuned+none",
        "socket:kryo-tuned+zstd-mt",
        "socket:kryo-tuned+zstd-mt:3"
      })
  void writesWhatItReads(String text) {
    boolean ours = text.matches("(grpc|netty).*");
    SystemUnderTest system = (ours ? NOTATION : Systems.notation()).parse(text);
    assertThat(system).hasToString(text);
    assertThat(system.isPeer()).isEqualTo(!ours);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "netty|write TRANSPORT:SERIALIZER+COMPRESSOR[:LEVEL][@THREADS], such as netty:raw+none@2",
        "netty:raw|write TRANSPORT:SERIALIZER+COMPRESSOR[:LEVEL][@THREADS], such as netty:raw+none@2",
        "netty:raw+none@1@2|write TRANSPORT:SERIALIZER+COMPRESSOR[:LEVEL][@THREADS], such as netty:raw+none@2",
        "peer:raw+none|choose own",
        "netty:own+none|choose java",
        "peer:own+none@2|accepts no number of threads, because a peer chooses it itself: leave out '@2'",
        "tcp:raw+none|unknown transport 'tcp' in 'tcp:raw+none': choose grpc, netty, netty-io_uring",
        "grpc:xml+none|unknown serializer 'xml' in 'grpc:xml+none': choose java, kryo-unsafe, raw",
        "grpc:java+rar|unknown compressor 'rar' in 'grpc:java+rar': choose none, zstd",
        "grpc:java+none:3|compressor 'none' in 'grpc:java+none:3' has no levels: leave out ':3'",
        "grpc:java+zstd:23|level '23' in 'grpc:java+zstd:23' is none of zstd: choose -5 to 22",
        "grpc:java+zstd:x|level 'x' in 'grpc:java+zstd:x' is none of zstd: choose -5 to 22",
        "grpc:java+none@0|threads '0' in 'grpc:java+none@0': write 1 to 1024, or cores",
        "grpc:java+none@1025|threads '1025' in 'grpc:java+none@1025': write 1 to 1024, or cores",
        "grpc:java+none@|threads '' in 'grpc:java+none@': write 1 to 1024, or cores",
        "grpc:java+none@all|threads 'all' in 'grpc:java+none@all': write 1 to 1024, or cores"
      })
  void saysInOneLineWhatWouldBeRight(String text, String message) {
    assertFails(() -> NOTATION.parse(text), IllegalArgumentException.class, message);
  }
}
