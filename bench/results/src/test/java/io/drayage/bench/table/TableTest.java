package io.drayage.bench.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TableTest {
  private record Example(
      String name, @Nullable Double medianS, double lowS, double highS, @Nullable Long bytes) {}

  private static final List<Example> SAMPLES =
      List.of(
          new Example("short, \"quoted\"", 12.25, 12, 13.5, 2_500_000L),
          new Example("b", null, 0, 0, null));

  private static Table table() {
    return Table.of("Samples", SAMPLES)
        .text("name", Example::name)
        .spread("S+Q", Format.SECONDS, Example::medianS, Example::lowS, Example::highS)
        .number("sent", Format.MEGABYTES, Example::bytes)
        .mark(sample -> sample.name().startsWith("short"))
        .number("share", Format.PERCENT, sample -> 0.5)
        .bars()
        .on(Medium.PAGE)
        .tone(sample -> sample.medianS() == null ? Tone.BAD : Tone.PLAIN)
        .ruleAbove(sample -> sample.name().equals("b"))
        .note("S+Q: medians")
        .build();
  }

  @Test
  void alignsTextForATerminal() {
    assertThat(table().toText())
        .containsExactly(
            "name                 S+Q s (min-max)  sent MB",
            "short, \"quoted\"  12.25 (12.00-13.50)     *2.5",
            "---------------------------------------------",
            "b                                  -        -",
            "S+Q: medians");
  }

  @Test
  void keepsTonesAndBarsForAPage() {
    Table page = table().on(Medium.PAGE);
    assertThat(page.rows()).extracting(Table.Row::tone).containsExactly(Tone.PLAIN, Tone.BAD);
    assertThat(page.rows().get(0).cells().get(4).tone()).isEqualTo(Tone.GOOD);
    assertThat(page.rows().get(0).cells().get(5).share()).isEqualTo(0.5);
    assertThat(page.rows().get(1).cells().get(1)).isEqualTo(TableCell.NONE);
  }
}
