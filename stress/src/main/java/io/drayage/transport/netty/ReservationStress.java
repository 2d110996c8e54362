package io.drayage.transport.netty;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** {@link Reservation}: given back by the last holder, once. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "given back once")
@State
public class ReservationStress {
  private final AtomicInteger givenBack = new AtomicInteger();
  private final Reservation reservation = new Reservation(givenBack::incrementAndGet);

  public ReservationStress() {
    reservation.hold();
  }

  @Actor
  public void shipment() {
    reservation.letGo();
  }

  @Actor
  public void window() {
    reservation.letGo();
  }

  @Arbiter
  public void count(I_Result result) {
    result.r1 = givenBack.get();
  }
}
