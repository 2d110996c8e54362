package io.drayage.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CountedTest {
  @Test
  void oneHasNoPlural() {
    assertThat(Counted.of(0, "row")).isEqualTo("0 rows");
    assertThat(Counted.of(1, "row")).isEqualTo("1 row");
    assertThat(Counted.of(2_000, "raw byte")).isEqualTo("2,000 raw bytes");
    assertThat(Counted.of(1, "entry")).isEqualTo("1 entry");
    assertThat(Counted.of(3, "entry")).isEqualTo("3 entries");
  }
}
