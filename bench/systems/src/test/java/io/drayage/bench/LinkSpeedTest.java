package io.drayage.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.transport.TransportOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkSpeedTest {
  @ParameterizedTest
  @CsvSource({"10gbit,1250000000", "2.5Gbit,312500000", "500mbit,62500000", "1.25GB,1250000000"})
  void readsBitsAndBytesASecond(String text, long bytesPerSecond) {
    assertThat(LinkSpeed.parse(text).bytesPerSecond()).isEqualTo(bytesPerSecond);
  }

  @Test
  void loopbackIsNoWire() {
    assertThat(LinkSpeed.parse("loopback").bytesPerSecond())
        .isEqualTo(TransportOptions.LOOPBACK_BYTES_PER_SECOND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fast", "0gbit", "-1GB", "10 gigabit"})
  void saysWhatWouldBeARate(String text) {
    assertThatThrownBy(() -> LinkSpeed.parse(text)).hasMessageContaining("10gbit");
  }
}
