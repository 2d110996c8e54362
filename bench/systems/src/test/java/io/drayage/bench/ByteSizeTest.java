package io.drayage.bench;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({
    "100MB, 100000000",
    "1GB, 1000000000",
    "1.5GB, 1500000000",
    "20kb, 20000",
    "64KiB, 65536",
    "4MiB, 4194304",
    "1GiB, 1073741824",
    "2TB, 2000000000000",
    "10 MB, 10000000",
    "512, 512",
    "512B, 512"
  })
  void readsDecimalAndBinaryUnits(String text, long bytes) {
    ByteSize size = ByteSize.parse(text);
    assertThat(size.bytes()).isEqualTo(bytes);
    assertThat(size).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GB", "1XB", "-1MB", "1e9", "1.MB", "1,5GB", "MB1", "1MBs"})
  void rejectsWhatIsNoSizeAndSaysWhatWouldBe(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ByteSize.parse(text))
        .withMessageContaining("'%s'", text)
        .withMessageContaining("100MB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0.1B", "0GB", "9223373TB"})
  void rejectsSizesOutsideTheLimits(String text) {
    assertFails(() -> ByteSize.parse(text), IllegalArgumentException.class, "at least 1 byte");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "999, 999 B",
    "1000, 1.0 KB",
    "23640000000, 23.6 GB",
    "999960, 1.0 MB",
    "5000000000000000, 5000.0 TB"
  })
  void formatsForPeople(long bytes, String text) {
    assertThat(ByteSize.format(bytes)).isEqualTo(text);
  }
}
