package io.drayage.bench.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ContenderTest {
  private static String name(
      String system, @Nullable Integer worker, @Nullable Integer transactor) {
    SystemOptions options = SystemOptions.DEFAULT.withThreads(worker, transactor);
    return Contender.of(Systems.notation().parse(system), options).name();
  }

  @ParameterizedTest
  @CsvSource({
    "netty:raw+none@2,,,netty:raw+none@2",
    "netty:raw+none@2,2,2,netty:raw+none@2",
    "netty:raw+none@2,2,1,netty:raw+none@2/1",
    "netty:raw+zstd:1@1,,3,netty:raw+zstd:1@1/3",
    "netty:raw+none@1,3,3,netty:raw+none@3",
    "netty:raw+none@cores,,,netty:raw+none@cores",
    "netty:raw+none,3,3,netty:raw+none",
    "grpc:java+none,3,3,grpc:java+none",
    "arrow-flight,3,3,arrow-flight"
  })
  void saysTheThreadsThatItReallyHas(
      String system, @Nullable Integer worker, @Nullable Integer transactor, String name) {
    assertThat(name(system, worker, transactor)).isEqualTo(name);
  }

  @Test
  void allCoresAreWrittenAsSuchUnlessTheyAreNot() {
    int cores = Runtime.getRuntime().availableProcessors();
    assertThat(name("netty:raw+none@cores", cores, cores)).isEqualTo("netty:raw+none@cores");
    assertThat(name("netty:raw+none@cores", cores + 1, null))
        .isEqualTo("netty:raw+none@%d/%d", cores + 1, cores);
  }
}
