package io.drayage.receive.internal;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.drayage.memory.Lease;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** {@link EarlyFrames}: a frame is either kept and handed out, or let through. */
@JCStressTest
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "kept, and handed out")
@Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "let through")
@State
public class EarlyFramesStress {
  private static final Lease FRAME = Lease.ofHeap(ByteBuffer.allocate(0));

  private final EarlyFrames early = new EarlyFrames();

  @Actor
  public void arrival(ZI_Result result) {
    result.r1 = early.keep(FRAME);
  }

  @Actor
  public void manifest(ZI_Result result) {
    result.r2 = early.open().size();
  }
}
