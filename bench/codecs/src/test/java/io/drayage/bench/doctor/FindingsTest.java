package io.drayage.bench.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.doctor.Finding.Mark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FindingsTest {
  private static final long GIB = 1L << 30;

  @Test
  void jdkBelow17PreventsThroughput() {
    assertThat(JvmFindings.jdk(16, "Vendor").mark()).isEqualTo(Mark.NO);
    assertThat(JvmFindings.jdk(17, "Vendor").mark()).isEqualTo(Mark.OK);
  }

  @Test
  void jdkFrom24OnIsNotedForUnsafe() {
    assertThat(JvmFindings.jdk(23, "Vendor").mark()).isEqualTo(Mark.OK);
    assertThat(JvmFindings.jdk(24, "Vendor").mark()).isEqualTo(Mark.NOTE);
    assertThat(JvmFindings.jdk(24, "Vendor").meaning()).contains("Unsafe");
  }

  @Test
  void tooSmallAHeapPreventsThroughput() {
    assertThat(JvmFindings.memory(GIB, (64 << 20) - 1).mark()).isEqualTo(Mark.NO);
    assertThat(JvmFindings.memory(GIB, 64 << 20).mark()).isEqualTo(Mark.OK);
    assertThat(JvmFindings.memory(16 * GIB, 4 * GIB).value())
        .isEqualTo("16.0 GiB, heap up to 4.0 GiB");
  }

  @Test
  void listsInstalledJdksByVersionOnce(@TempDir Path folder) throws IOException {
    installJdk(folder.resolve("newer"), "25.0.1");
    installJdk(folder.resolve("older"), "17.0.9");
    installJdk(folder.resolve("again"), "17.0.9");
    Files.createDirectory(folder.resolve("no-jdk"));

    Finding finding = JvmFindings.otherJdks(folder);

    assertThat(finding.mark()).isEqualTo(Mark.OK);
    assertThat(finding.value()).isEqualTo("17.0.9, 25.0.1");
  }

  private static void installJdk(Path home, String version) throws IOException {
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    assertThat(Files.createFile(java).toFile().setExecutable(true)).isTrue();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
  }

  @Test
  void aFolderWithoutJdksIsNoted(@TempDir Path folder) {
    assertThat(JvmFindings.otherJdks(folder.resolve("absent")).value()).isEqualTo("none found");
  }

  @Test
  void kernelFramesNeedRootOrALowLevel() {
    assertThat(MachineFindings.perfEvents("2", false).mark()).isEqualTo(Mark.NOTE);
    assertThat(MachineFindings.perfEvents("2", true).mark()).isEqualTo(Mark.OK);
    assertThat(MachineFindings.perfEvents("1", false).mark()).isEqualTo(Mark.OK);
    assertThat(MachineFindings.perfEvents("-1", false).mark()).isEqualTo(Mark.OK);
    assertThat(MachineFindings.perfEvents(null, true).mark()).isEqualTo(Mark.NO);
  }

  @Test
  void kernelSymbolsAreHiddenByRestriction() {
    assertThat(MachineFindings.kernelSymbols("0", false).mark()).isEqualTo(Mark.OK);
    assertThat(MachineFindings.kernelSymbols("1", true).mark()).isEqualTo(Mark.OK);
    assertThat(MachineFindings.kernelSymbols("1", false).mark()).isEqualTo(Mark.NOTE);
    assertThat(MachineFindings.kernelSymbols("2", true).mark()).isEqualTo(Mark.NOTE);
  }

  @Test
  void freshMemoryIsNotedWhereItIsDear() {
    assertThat(FreshPages.memory(0.3).mark()).isEqualTo(Mark.OK);
    assertThat(FreshPages.memory(3).mark()).isEqualTo(Mark.NOTE);
    assertThat(FreshPages.memory(3).value()).isEqualTo("3.00 s per GB");
    // Which way is the better depends on the machine.
    assertThat(FreshPages.find().get(1).value()).matches("(page cache|direct).*");
  }

  @Test
  void namespacesNeedIpAndRoot() {
    assertThat(MachineFindings.namespaces(true, true).mark()).isEqualTo(Mark.OK);
    assertThat(MachineFindings.namespaces(true, false).meaning()).contains("root");
    assertThat(MachineFindings.namespaces(false, true).meaning()).contains("iproute2");
  }

  @Test
  void aMissingCodecIsNotShown() {
    assertThat(NativeFindings.codec("none", "no.such.Codec", "load")).isEmpty();
  }

  @Test
  void aCodecThatLoadsIsOkAndOneThatFailsIsNot() {
    String name = Fixture.class.getName();

    assertThat(NativeFindings.codec("good", name, "succeeds").orElseThrow().mark())
        .isEqualTo(Mark.OK);
    Finding failed = NativeFindings.codec("bad", name, "fails").orElseThrow();
    assertThat(failed.mark()).isEqualTo(Mark.NO);
    assertThat(failed.value()).isEqualTo("no library");
  }

  @Test
  void unavailableTransportSaysTheInnermostCauseInOneShortLine() {
    Throwable cause =
        new ExceptionInInitializerError(
            new IllegalStateException("reason\nmore " + "x".repeat(90)));

    Finding missing = NativeFindings.transport("epoll", cause, "fast", "slow");
    assertThat(missing.value()).isEqualTo("reason");
    assertThat(missing.mark()).isEqualTo(Mark.NO);
    assertThat(NativeFindings.shortCause(new IllegalStateException("y".repeat(90)))).hasSize(60);
    assertThat(NativeFindings.shortCause(new IllegalStateException()))
        .isEqualTo("IllegalStateException");
    assertThat(NativeFindings.transport("epoll", null, "fast", "slow").mark()).isEqualTo(Mark.OK);
  }

  /** Stands for a codec's class. */
  public static final class Fixture {
    private Fixture() {}

    public static void succeeds() {}

    public static void fails() {
      throw new UnsatisfiedLinkError("no library");
    }
  }
}
