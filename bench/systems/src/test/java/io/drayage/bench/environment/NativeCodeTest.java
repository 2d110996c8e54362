package io.drayage.bench.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class NativeCodeTest {
  private static final List<String> MOUNTS =
      List.of(
          "overlay / overlay rw,relatime 0 0",
          "tmpfs /tmp tmpfs rw,nosuid,noexec,size=1g 0 0",
          "tmpfs /tmp/run tmpfs rw 0 0",
          "tmpfs /my\\040tmp tmpfs rw,noexec 0 0",
          "tmpfs /srv tmpfs rw,noexec 0 0",
          "tmpfs /srv tmpfs rw,exec 0 0");

  private static boolean isNoExec(String folder) {
    return NativeCode.isNoExec(Path.of(folder), MOUNTS);
  }

  @Test
  void theNearestMountTells() {
    assertThat(isNoExec("/tmp")).isTrue();
    assertThat(isNoExec("/tmp/a")).isTrue();
    assertThat(isNoExec("/tmp/run/a")).isFalse();
    assertThat(isNoExec("/tmpfs")).isFalse();
    assertThat(isNoExec("/my tmp/a")).isTrue();
    assertThat(isNoExec("/srv")).isFalse();
    assertThat(isNoExec("/")).isFalse();
  }
}
