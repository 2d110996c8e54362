package io.drayage.bench.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.doctor.Finding.Mark;
import io.drayage.transport.netty.NativeIo;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiagnosisTest {
  @Test
  void isReadyUnlessNativeCodeCannotBeLoaded() {
    Diagnosis ready = Diagnosis.of(List.of(), null, NativeIo.EPOLL, 2);
    assertThat(ready.ready()).isTrue();
    assertThat(ready.verdict()).isEqualTo("ready: throughput runs over native epoll on 2 cores");
    assertThat(Diagnosis.of(List.of(), null, NativeIo.NIO, 1).verdict())
        .isEqualTo("ready: throughput runs over NIO on 1 core");

    Diagnosis not = Diagnosis.of(List.of(), "/tmp is mounted noexec", NativeIo.NIO, 2);
    assertThat(not.ready()).isFalse();
    assertThat(not.verdict()).isEqualTo("not ready: native code: /tmp is mounted noexec");
  }

  @Test
  void kernelFramesNeedRootOrALowLevel() {
    assertThat(Diagnosis.perfEvents("2", false).mark()).isEqualTo(Mark.NOTE);
    assertThat(Diagnosis.perfEvents("2", true).mark()).isEqualTo(Mark.OK);
    assertThat(Diagnosis.perfEvents("1", false).mark()).isEqualTo(Mark.OK);
    assertThat(Diagnosis.perfEvents(null, true).mark()).isEqualTo(Mark.NO);
    assertThat(Diagnosis.kernelSymbols("0", false).mark()).isEqualTo(Mark.OK);
    assertThat(Diagnosis.kernelSymbols("1", true).mark()).isEqualTo(Mark.OK);
    assertThat(Diagnosis.kernelSymbols("1", false).mark()).isEqualTo(Mark.NOTE);
    assertThat(Diagnosis.kernelSymbols("2", true).mark()).isEqualTo(Mark.NOTE);
  }

  @Test
  void namespacesNeedIpAndRoot() {
    assertThat(Diagnosis.namespaces(true, true).mark()).isEqualTo(Mark.OK);
    assertThat(Diagnosis.namespaces(true, false).meaning()).contains("root");
    assertThat(Diagnosis.namespaces(false, true).meaning()).contains("iproute2");
  }

  @Test
  void aLibraryThatDoesNotLoadSaysTheInnermostCauseInOneShortLine() {
    Throwable cause =
        new ExceptionInInitializerError(
            new IllegalStateException("reason\nmore " + "x".repeat(90)));

    Finding missing = Diagnosis.transport("epoll", cause, "fast", "slow");
    assertThat(missing).isEqualTo(new Finding(Mark.NO, "epoll", "reason", "slow"));
    assertThat(Diagnosis.codec("bad", Fixture.class.getName(), "fails").value())
        .isEqualTo("no library");
    assertThat(Diagnosis.shortCause(new IllegalStateException("y".repeat(90)))).hasSize(60);
    assertThat(Diagnosis.shortCause(new IllegalStateException()))
        .isEqualTo("IllegalStateException");
  }

  /** A class in the place of a codec's class. */
  public static final class Fixture {
    private Fixture() {}

    public static void fails() {
      throw new UnsatisfiedLinkError("no library");
    }
  }
}
