package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SizesTableTest {
  private static Combination stream(String serializer, String compressor) {
    return new Combination(serializer, compressor, null, Form.STREAM);
  }

  private static final SizeRow NEAR =
      SizeRow.of(stream("java", "none"), 106_000_000, 100_900_000, 100_000_000L);
  private static final SizeRow FAR =
      SizeRow.of(stream("raw", "none"), 90_000_000, 100_900_000, 100_000_000L);
  private static final SizeRow UNPUBLISHED =
      SizeRow.of(stream("raw", "none").in(Form.SEGMENTS), 1_234_567, 100_900_000, null);

  @Test
  void putsOursBesideThePublishedAndTheAdditionalBelowALine() {
    List<String> lines = SizesTable.of(List.of(NEAR), List.of(FAR, UNPUBLISHED));
    assertThat(lines).hasSize(5);
    assertThat(lines.get(1)).startsWith("java+none ").contains("106.0", "100.0").endsWith("+6.0 %");
    assertThat(lines.get(2)).matches("-+").hasSameSizeAs(lines.get(0));
    assertThat(lines.get(3)).startsWith("raw+none ").endsWith("-10.0 %");
    assertThat(lines.get(4)).startsWith("raw+none segments ").contains("1.23").endsWith("-");
  }

  @Test
  void countsInItsVerdictHowManyAreNear() {
    assertThat(SizesTable.verdict(List.of(NEAR, FAR, UNPUBLISHED), 100_900_000, 100.7))
        .isEqualTo(
            "1 of 2 within 8 %, 2 within 15 % of the published; raw 100.9 MB, published 100.7 MB"
                + " (+0.2 %)");
  }

  @Test
  void countsFailuresInItsVerdict() {
    SizeRow failed = SizeRow.failed(stream("kryo", "xz"), 7_900_000L, "out of luck");
    assertThat(SizesTable.verdict(List.of(NEAR, failed), 100_900_000, null))
        .contains("1 of 2 within 8 %", "1 of 2 FAILED");
    assertThat(SizesTable.of(List.of(failed), List.of()).get(1)).startsWith("kryo+xz FAILED");
  }
}
