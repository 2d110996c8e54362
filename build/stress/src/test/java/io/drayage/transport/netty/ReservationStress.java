package io.drayage.transport.netty;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.drayage.transport.netty.CreditQuota.Reservation;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** {@link Reservation}: released by the last owner, once. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "released once")
@State
public class ReservationStress {
  private final AtomicInteger released = new AtomicInteger();
  private final Reservation reservation = new Reservation(released::incrementAndGet);

  public ReservationStress() {
    reservation.retain();
  }

  @Actor
  public void shipment() {
    reservation.release();
  }

  @Actor
  public void window() {
    reservation.release();
  }

  @Arbiter
  public void count(I_Result result) {
    result.r1 = released.get();
  }
}
