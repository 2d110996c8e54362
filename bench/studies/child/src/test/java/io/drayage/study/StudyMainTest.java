package io.drayage.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class StudyMainTest {
  @Test
  void readsItsOptions() {
    String[] options = {"--experiment", "sizes", "--objects", "7", "--seed", "3", "--budget", "9"};
    assertThat(StudyMain.settings(options))
        .isEqualTo(new StudySettings("sizes", 7, false, 3, 9, StudySettings.Servers.LOOPBACK));
    String[] far = {
      "--link",
      "1gbit",
      "--servers",
      "10.0.0.2",
      "--servers-prefix",
      "ip",
      "--servers-prefix",
      "a,b"
    };
    assertThat(StudyMain.settings(far).servers())
        .isEqualTo(new StudySettings.Servers("1gbit", "10.0.0.2", List.of("ip", "a,b")));
    assertThat(StudyMain.settings(new String[] {"--full"}).isFull()).isTrue();
  }

  @Test
  void namesWhatItCannotRead() {
    assertThatThrownBy(() -> StudyMain.settings(new String[] {"--objects", "many"}))
        .hasMessage("--objects many: not a number");
    assertThatThrownBy(() -> StudyMain.settings(new String[] {"--objects", "0"}))
        .hasMessage("--objects 0: at least 1");
    assertThatThrownBy(() -> StudyMain.settings(new String[] {"--seed"}))
        .hasMessage("--seed needs a value");
    assertThatThrownBy(() -> StudyMain.settings(new String[] {"--fast", "1"}))
        .hasMessage("unknown option --fast");
  }

  @Test
  void writesMeasurementsAsJson() {
    assertThat(new Measurement("read", "a \"b\"", "ms", 1.5).json())
        .isEqualTo(
            "{\"experiment\":\"read\",\"system\":\"a \\\"b\\\"\",\"unit\":\"ms\",\"value\":1.5}");
  }
}
