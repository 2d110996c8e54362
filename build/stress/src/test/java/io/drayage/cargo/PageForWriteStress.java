package io.drayage.cargo;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Two threads touch a page for the first time at once: both write into the page that stays. */
public final class PageForWriteStress {
  private PageForWriteStress() {}

  /** {@link ColumnValues#pageForWrite}. */
  @JCStressTest
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "both values are there")
  @State
  public static class ColumnPages {
    private final ColumnValues values = ColumnValues.allocate(ColumnType.LONG, 2, false);

    @Actor
    public void first() {
      ((long[]) values.pageForWrite(0))[0] = 1;
    }

    @Actor
    public void second() {
      ((long[]) values.pageForWrite(0))[1] = 2;
    }

    @Arbiter
    public void read(JJ_Result result) {
      long[] page = (long[]) values.page(0);
      result.r1 = page[0];
      result.r2 = page[1];
    }
  }

  /** {@link RowBits#setWord}. */
  @JCStressTest
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "both words are there")
  @State
  public static class BitWords {
    private final RowBits bits = new RowBits(128);

    @Actor
    public void first() {
      bits.setWord(0, 1);
    }

    @Actor
    public void second() {
      bits.setWord(1, 2);
    }

    @Arbiter
    public void read(JJ_Result result) {
      result.r1 = bits.word(0);
      result.r2 = bits.word(1);
    }
  }
}
