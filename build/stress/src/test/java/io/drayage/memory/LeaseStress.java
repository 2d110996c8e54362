package io.drayage.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** {@link Lease}: two threads close it. One releases the buffer, the other gets false. */
@JCStressTest
@Outcome(
    id = {"true, false, 1", "false, true, 1"},
    expect = ACCEPTABLE,
    desc = "released once")
@State
public class LeaseStress {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final AtomicInteger released = new AtomicInteger();
  private final Lease lease = new Lease(NOTHING, released::incrementAndGet);

  @Actor
  public void first(ZZI_Result result) {
    result.r1 = close();
  }

  @Actor
  public void second(ZZI_Result result) {
    result.r2 = close();
  }

  private boolean close() {
    try {
      lease.close();
      return true;
    } catch (IllegalStateException twice) {
      return false;
    }
  }

  @Arbiter
  public void count(ZZI_Result result) {
    result.r3 = released.get();
  }
}
