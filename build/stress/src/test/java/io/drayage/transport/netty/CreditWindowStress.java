package io.drayage.transport.netty;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.drayage.frame.ShipmentException;
import io.drayage.transport.netty.CreditQuota.Reservation;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** {@link CreditWindow}: acquired credit is granted again, or its reservation released, once. */
public final class CreditWindowStress {
  private static final int WINDOW_BYTES = 8 << 20;
  private static final int FRAME_BYTES = 600_000;

  private CreditWindowStress() {}

  private static CreditWindow withFrames(int count, Reservation reservation) {
    CreditWindow window = new CreditWindow(WINDOW_BYTES, reservation);
    try {
      for (int frame = 0; frame < count; frame++) {
        window.acquire(FRAME_BYTES);
        window.arrived();
      }
    } catch (ShipmentException e) {
      throw new AssertionError(e);
    }
    return window;
  }

  /** Each frame is smaller than a renewal; together they are all undecoded bytes. */
  @JCStressTest
  @Outcome(
      id = {"0, 1200000", "1200000, 0"},
      expect = ACCEPTABLE,
      desc = "the last renews all")
  @State
  public static class TwoRelease {
    private final CreditWindow window = withFrames(2, new Reservation(() -> {}));

    @Actor
    public void first(JJ_Result result) {
      result.r1 = window.release(FRAME_BYTES);
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = window.release(FRAME_BYTES);
    }
  }

  /** The connection ends while its last frame is decoded. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "released once")
  @State
  public static class ReleaseAndClose {
    private final AtomicInteger released = new AtomicInteger();
    private final CreditWindow window;

    public ReleaseAndClose() {
      Reservation reservation = new Reservation(released::incrementAndGet);
      window = withFrames(1, reservation);
      reservation.release(); // The shipment does this when it is over.
    }

    @Actor
    public void decoded() {
      window.release(FRAME_BYTES);
    }

    @Actor
    public void closed() {
      window.close();
    }

    @Arbiter
    public void count(I_Result result) {
      result.r1 = released.get();
    }
  }
}
