package io.drayage.segment;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.ShipmentException;
import java.util.UUID;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** {@link SegmentClaims}, as {@link CargoAssembler#claim} uses it. */
public final class SegmentClaimsStress {
  /** Two segments in one word of bits: a column in each of two tables. */
  private static final Manifest TWO_SEGMENTS =
      new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES)
          .plan(
              ChangeCargo.builder(new UUID(1, 1), 0)
                  .table("a", table -> table.insert("c", ColumnValues.of(new int[][] {{1}})))
                  .table("b", table -> table.insert("c", ColumnValues.of(new int[][] {{2}})))
                  .build());

  private SegmentClaimsStress() {}

  private static boolean claims(SegmentClaims claims, int first, int further) {
    try {
      return claims.claim(first, further).size() == further + 1;
    } catch (ShipmentException repeated) {
      return false;
    }
  }

  /** One segment arrives twice. */
  @JCStressTest
  @Outcome(
      id = {"true, false, false", "false, true, false"},
      expect = ACCEPTABLE,
      desc = "once")
  @State
  public static class SameSegment {
    private final SegmentClaims claims = new SegmentClaims(TWO_SEGMENTS);

    @Actor
    public void first(ZZZ_Result result) {
      result.r1 = claims(claims, 0, 0);
    }

    @Actor
    public void second(ZZZ_Result result) {
      result.r2 = claims(claims, 0, 0);
    }

    @Arbiter
    public void whole(ZZZ_Result result) {
      result.r3 = claims.isComplete();
    }
  }

  /** Two segments whose bits share a word: neither claim may be lost. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = ACCEPTABLE, desc = "both")
  @State
  public static class SameWord {
    private final SegmentClaims claims = new SegmentClaims(TWO_SEGMENTS);

    @Actor
    public void first(ZZZ_Result result) {
      result.r1 = claims(claims, 0, 0);
    }

    @Actor
    public void second(ZZZ_Result result) {
      result.r2 = claims(claims, 1, 0);
    }

    @Arbiter
    public void whole(ZZZ_Result result) {
      result.r3 = claims.isComplete() && claims.toBitSet().cardinality() == 2;
    }
  }

  /** A run against one of its segments. */
  @JCStressTest
  @Outcome(
      id = {"true, false, true", "false, true, true"},
      expect = ACCEPTABLE,
      desc = "one of them")
  @State
  public static class RunAndSegment {
    private final SegmentClaims claims = new SegmentClaims(TWO_SEGMENTS);

    @Actor
    public void run(ZZZ_Result result) {
      result.r1 = claims(claims, 0, 1);
    }

    @Actor
    public void single(ZZZ_Result result) {
      result.r2 = claims(claims, 1, 0);
    }

    @Arbiter
    public void whole(ZZZ_Result result) {
      result.r3 = claims.isComplete();
    }
  }
}
