package io.drayage.bench.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EffectDigestTest {
  private static final ColumnValues ONE = ColumnValues.of(new int[][] {{1, 2}});
  private static final ColumnValues OTHER = ColumnValues.of(new int[][] {{3, 4}});
  private static final ColumnValues ROWS = ColumnValues.of(new long[][] {{5, 7}});

  @Test
  void isThatOfTheChangesInWhateverOrder() {
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(1, 1), 3)
            .table("a", table -> table.insert("x", ONE).insert("y", OTHER))
            .table("b", table -> table.update("x", ROWS, ONE).update("y", ROWS, OTHER))
            .build();
    ChangeCargo same =
        ChangeCargo.builder(new UUID(2, 2), 4)
            .table("b", table -> table.update("y", ROWS, OTHER).update("x", ROWS, ONE))
            .table("a", table -> table.insert("y", OTHER).insert("x", ONE))
            .build();
    ChangeCargo different =
        ChangeCargo.builder(new UUID(1, 1), 3)
            .table("a", table -> table.insert("x", OTHER).insert("y", ONE))
            .table("b", table -> table.update("x", ROWS, ONE).update("y", ROWS, OTHER))
            .build();

    assertThat(EffectDigest.of(cargo)).isEqualTo(EffectDigest.of(same));
    assertThat(EffectDigest.of(cargo)).isNotEqualTo(EffectDigest.of(different));
  }
}
