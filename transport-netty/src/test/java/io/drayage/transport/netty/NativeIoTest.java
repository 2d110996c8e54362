package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeIoTest {
  @TempDir private Path folder;

  /** Fails like Netty when it cannot make a ring, although its check for io_uring made one. */
  @Test
  void saysWhatToDoForWantOfLockedMemory() {
    Throwable cause =
        new IllegalStateException(
            "failed to create a child event loop",
            new RuntimeException(
                "failed to allocate memory for io_uring ring; try raising memlock limit (see"
                    + " getrlimit(RLIMIT_MEMLOCK, ...) or ulimit -l): Cannot allocate memory"));

    assertThat(NativeIo.IO_URING.unusable(cause))
        .hasMessageStartingWith(
            "IO_URING does not work on this machine: failed to allocate memory for io_uring ring")
        .hasMessageEndingWith(
            "; raise it, by 'ulimit -l unlimited', LimitMEMLOCK=infinity of systemd or --ulimit"
                + " memlock=-1 of Docker, or use netty-epoll");
    assertThat(NativeIo.EPOLL.unusable(new IllegalStateException("too many open files")))
        .hasMessage("EPOLL does not work on this machine: too many open files");
  }

  /** Makes event loops like a transactor. */
  static final class MakesLoops {
    private MakesLoops() {}

    /** Runs without arguments. */
    public static void main(String[] args) {
      NativeIo.IO_URING.newGroup(4, "loop").shutdownGracefully().awaitUninterruptibly();
    }
  }

  @Test
  @Tag("nightly")
  void isTriedWithLittleLockedMemory() throws Exception {
    Path setpriv = Path.of("/usr/bin/setpriv");
    Assumptions.assumeTrue(Files.isExecutable(setpriv), setpriv + " is not installed");
    Assumptions.assumeTrue(NativeIo.IO_URING.unavailabilityCause() == null, "there is no io_uring");
    Path java =
        Files.writeString(
            folder.resolve("java"),
            """
            #!/bin/sh
            ulimit -l 64
            exec setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock '%s/bin/java' "$@"
            """
                .formatted(System.getProperty("java.home")));
    assertThat(java.toFile().setExecutable(true)).isTrue();

    assertThatThrownBy(() -> ChildJvm.run(java, folder, 30, List.of(), MakesLoops.class))
        .hasMessageContaining("UnsupportedOperationException: IO_URING does not work")
        .hasMessageContaining("ulimit -l unlimited");
  }
}
