package io.drayage.bench.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.doctor.Finding.Mark;
import io.drayage.transport.netty.NativeIo;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiagnosisTest {
  private static final Finding GOOD = Finding.required(Mark.OK, "JDK", "17", "runs");
  private static final Finding MISSING_TOOL = Finding.of(Mark.NO, "tc", "not found", "no links");
  private static final Finding TOO_OLD = Finding.required(Mark.NO, "JDK", "11", "17 is needed");

  @Test
  void isNotReadyWhereNoNativeCodeCanBeLoaded() {
    Finding found = NativeFindings.loadable("/tmp is mounted noexec");

    assertThat(Diagnosis.of(List.of(found), NativeIo.NIO, 2).verdict())
        .isEqualTo("not ready: native code: /tmp is mounted noexec");
    assertThat(NativeFindings.loadable(null).mark()).isEqualTo(Mark.OK);
  }

  @Test
  void isReadyOverTheBestTransport() {
    Diagnosis diagnosis = Diagnosis.of(List.of(GOOD), NativeIo.EPOLL, 2);

    assertThat(diagnosis.ready()).isTrue();
    assertThat(diagnosis.verdict())
        .isEqualTo("ready: throughput runs over native epoll on 2 cores");
  }

  @Test
  void isReadyWithoutAToolAndWithoutEpoll() {
    Diagnosis diagnosis = Diagnosis.of(List.of(GOOD, MISSING_TOOL), NativeIo.NIO, 1);

    assertThat(diagnosis.ready()).isTrue();
    assertThat(diagnosis.verdict()).isEqualTo("ready: throughput runs over NIO on 1 core");
  }

  @Test
  void isNotReadyWithoutWhatIsRequiredAndSaysWhy() {
    Diagnosis diagnosis = Diagnosis.of(List.of(TOO_OLD, MISSING_TOOL), NativeIo.EPOLL, 2);

    assertThat(diagnosis.ready()).isFalse();
    assertThat(diagnosis.verdict()).isEqualTo("not ready: JDK: 17 is needed");
  }
}
