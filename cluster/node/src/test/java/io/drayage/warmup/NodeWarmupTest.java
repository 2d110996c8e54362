package io.drayage.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.store.MemoryStore;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.Threads;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.lang.reflect.Proxy;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
final class NodeWarmupTest {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration END = Duration.ofSeconds(10);

  /** Counts the open clients and servers. */
  private static class CountingTransport implements Transport {
    final LoopbackTransport loopback = new LoopbackTransport();
    final List<String> open = Collections.synchronizedList(new ArrayList<>());
    final List<InetSocketAddress> listenedAt = Collections.synchronizedList(new ArrayList<>());

    @Override
    public String name() {
      return loopback.name();
    }

    @Override
    public TransportClient client(
        InetSocketAddress address, TransportOptions options, DrayageMetrics metrics) {
      return counted(TransportClient.class, "client", loopback.client(address, options, metrics));
    }

    @Override
    public TransportServer listen(
        InetSocketAddress address,
        ShipmentAcceptor acceptor,
        TransportOptions options,
        DrayageMetrics metrics)
        throws BindException {
      listenedAt.add(address);
      return counted(
          TransportServer.class, "server", loopback.listen(address, acceptor, options, metrics));
    }

    private <T> T counted(Class<T> type, String name, T made) {
      open.add(name);
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) -> {
                if (method.getName().equals("close")) {
                  open.remove(name);
                }
                return method.invoke(made, arguments);
              }));
    }
  }

  private static NodeWarmup begin(Transport transport, String serializer, Duration limit) {
    return NodeWarmup.begin(
        transport, Serializers.ofName(serializer), Compressors.ofName("lz4"), 2, limit);
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw", "columnar"})
  void shipsAndLeavesNothing(String serializer) throws InterruptedException {
    CountingTransport transport = new CountingTransport();
    Threads threads = Threads.remember();

    assertThat(begin(transport, serializer, SHORT).await()).isPositive();

    assertThat(transport.open).isEmpty();
    assertThat(transport.listenedAt)
        .allMatch(address -> address.getAddress().isLoopbackAddress() && address.getPort() == 0);
    threads.assertGone(END); // An executor reports its end a moment before its thread ends.
  }

  @Test
  void zeroIsNotAtAll() throws InterruptedException {
    CountingTransport transport = new CountingTransport();

    assertThat(begin(transport, "raw", Duration.ZERO).await()).isZero();

    assertThat(transport.listenedAt).isEmpty();
  }

  @Test
  void hasABound() {
    for (Duration limit :
        List.of(Duration.ofMillis(-1), NodeWarmup.MAX_LIMIT.plus(Duration.ofMillis(1)))) {
      assertThatThrownBy(() -> begin(new LoopbackTransport(), "raw", limit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0 to 60 s");
    }
  }

  @Test
  void aNodeStartsColdIfItFails() throws InterruptedException {
    Transport broken =
        new CountingTransport() {
          @Override
          public TransportServer listen(
              InetSocketAddress address,
              ShipmentAcceptor acceptor,
              TransportOptions options,
              DrayageMetrics metrics)
              throws BindException {
            throw new BindException("no port is free");
          }
        };

    assertThat(begin(broken, "raw", SHORT).await()).isZero();
  }

  @Test
  void itsCargoIsSmallAndFitsItsStore() throws ShipmentException {
    ChangeCargo cargo = WarmUpCargo.make().next();
    MemoryStore store = WarmUpCargo.store();

    assertThat(store.commit(cargo)).isEqualTo(1);
    assertThat(CargoSize.rawBytes(cargo)).isBetween(1L << 19, WarmUpCargo.MAX_BYTES);
  }
}
