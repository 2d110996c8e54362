package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests which parts of a cargo are sent as {@code raw}, because no encoding would pay. */
class RawPartsTest {
  private static final int ROWS = 10_000;
  private static final long AS_FAST_AS_MEMORY = 5_000_000_000L;

  private final ColumnValues random =
      ColumnValues.of(new long[][] {new Random(1).longs(ROWS).toArray()});
  private final ColumnValues constant = ColumnValues.of(new long[][] {new long[ROWS]});
  private final ColumnValues onDemand =
      ColumnValues.onDemand(
          ColumnType.LONG,
          ROWS,
          ROWS,
          page -> {
            throw new AssertionError("a page on demand was made");
          });
  private final List<PartContent> contents =
      List.of(
          random,
          constant,
          onDemand,
          ColumnValues.ofTexts(new String[] {"one", "two"}),
          RandomCargo.bits(ROWS, 1));

  private static Serializer columnar(long bytesPerSecond) {
    return Serializers.ofName("columnar").forRate(bytesPerSecond);
  }

  @Test
  void onAFastPathMostAreAndAnyTimeTheSame() {
    Serializer columnar = columnar(AS_FAST_AS_MEMORY);
    assertThat(columnar.rawParts(contents).stream()).containsExactly(0, 3, 4);
    assertThat(columnar.rawParts(contents)).isEqualTo(columnar.rawParts(contents));
  }

  @Test
  void onASlowPathNoneIs() {
    assertThat(columnar(ColumnarMode.BALANCED.bytesPerSecond()).rawParts(contents).isEmpty())
        .isTrue();
  }

  @Test
  void whatDoesNotChooseHasNone() {
    assertThat(Serializers.ofName("raw").rawParts(contents).isEmpty()).isTrue();
  }
}
