package io.drayage.store.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the merge of the changes of two sides in the same rows, page by page. */
class MergedExtentTest {
  private static final int PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private static Extent changed(Extent from, int... pages) {
    Extent.Writer writer = from.new Writer();
    for (int page : pages) {
      ((long[]) writer.pageForWrite(page))[page] = page;
      writer.validityForWrite(page)[0] &= ~2L;
    }
    return writer.toExtent();
  }

  @Test
  void hasThePagesOfWhoeverChangedThem() {
    Extent before = Extent.ofDefaults(ColumnType.LONG, 4L * PAGE + 9);
    long unused = before.memoryBytes();
    Extent own = changed(before, 0, 2, 4);
    Extent theirs = changed(before, 1, 2);
    List<long[]> both = new ArrayList<>();

    Extent merged = theirs.withPagesOf(own, before, both);

    assertThat(both).containsExactly(new long[] {2L * PAGE, 3L * PAGE});
    assertThat(merged.page(0)).isSameAs(own.page(0));
    assertThat(merged.page(1)).isSameAs(theirs.page(1));
    assertThat(merged.page(2)).isSameAs(theirs.page(2));
    assertThat(merged.page(3)).isNull();
    assertThat(merged.page(4)).isSameAs(own.page(4));
    assertThat(merged.ownValidity(4)).isSameAs(own.ownValidity(4));
    assertThat(merged.memoryBytes()).isEqualTo(merged.measure());
  }

  @Test
  void isTheOtherSideIfOneHasChangedNothing() {
    Extent before = Extent.ofDefaults(ColumnType.LONG, PAGE);
    Extent own = changed(before, 0);

    assertThat(before.withPagesOf(own, before, new ArrayList<>())).isSameAs(own);
    assertThat(own.withPagesOf(before, before, new ArrayList<>())).isSameAs(own);
  }
}
