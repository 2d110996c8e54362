package io.drayage.frame;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** {@link Seal.Digest}: the order of the frames does not matter, and no frame is lost. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "the seal of both frames")
@State
public class SealDigestStress {
  private static final Seal EXPECTED = expected();

  private final Seal.Digest digest = new Seal.Digest();

  private static Seal expected() {
    Seal.Digest inOrder = new Seal.Digest();
    inOrder.add(0, 17);
    inOrder.add(1, -4);
    return inOrder.seal();
  }

  @Actor
  public void first() {
    digest.add(0, 17);
  }

  @Actor
  public void second() {
    digest.add(1, -4);
  }

  @Arbiter
  public void seal(Z_Result result) {
    result.r1 = digest.seal().equals(EXPECTED);
  }
}
