package io.drayage.bench.system;

import io.drayage.receive.CargoReceiver;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;

/** The transactor's end of a system: a listening transport and the receiver of its cargoes. */
public final class SystemReceiver implements AutoCloseable {
  private final TransportServer server;
  private final CargoReceiver receiver;

  SystemReceiver(TransportServer server, CargoReceiver receiver) {
    this.server = server;
    this.receiver = receiver;
  }

  /** The address at which it listens. */
  public InetSocketAddress address() {
    return server.address();
  }

  @Override
  public void close() {
    server.close();
    receiver.close();
  }
}
