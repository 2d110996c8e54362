package io.drayage.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.transport.Shipment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class IdleProducersTest {
  private final List<ShipmentException> told = new ArrayList<>();
  private final IdleProducers producers = new IdleProducers();

  private final class Waiting implements Shipment.Producer {
    @Override
    public void produce(Consumer<Lease> connection) {
      throw new AssertionError("no connection was there");
    }

    @Override
    public void onOver(ShipmentException cause) {
      told.add(cause);
    }
  }

  @Test
  void servesInTheOrderOfWaiting() {
    Waiting first = new Waiting();
    Waiting second = new Waiting();
    producers.add(first);
    producers.add(second);
    assertThat(producers.next()).isSameAs(first);
    assertThat(producers.next()).isSameAs(second);
    assertThat(producers.next()).isNull();
  }

  @Test
  void tellsThoseWhoWaitAndThoseWhoComeLaterOfTheEnd() {
    ShipmentException end = new ShipmentException(Fault.CANCELLED, "over");
    producers.add(new Waiting());
    producers.end(end);
    assertThat(told).containsExactly(end);
    producers.add(new Waiting());
    assertThat(told).containsExactly(end, end);
    assertThat(producers.next()).isNull();
  }
}
