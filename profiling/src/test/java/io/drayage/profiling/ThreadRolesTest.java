package io.drayage.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ThreadRolesTest {
  private final ThreadRoles roles = ThreadRoles.ofDrayage();

  @ParameterizedTest
  @CsvSource({
    "drayage-serialize-17,serializer",
    "drayage-deserialize-17,deserializer",
    "encode-0,codec pool",
    "decode-1,codec pool",
    "main,sender",
    "netty-send-1-1,event loop",
    "netty-receive-2-1,event loop",
    "grpc-default-worker-ELG-1-2,event loop",
    "grpc-default-executor-0,grpc executor",
    "commit,apply",
    "GC Thread#0,GC",
    "C2 CompilerThre,JIT",
    "C1 CompilerThread0,JIT",
    "drayage-full-snapshot,snapshots",
    "rig-memory-sampler,rig",
    "someone,other",
  })
  void knowsThreadsByTheirNames(String thread, String role) {
    assertThat(roles.of(thread)).isEqualTo(role);
  }

  @Test
  void knowsWhoTakesPartInAShipment() {
    assertThat(roles.takesPart("serializer")).isTrue();
    assertThat(roles.takesPart("JIT")).isFalse();
    assertThatThrownBy(() -> ThreadRoles.parse(List.of("nonsense")))
        .hasMessageContaining("nonsense");
  }
}
