package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.CommitOptions;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.StoreShare;
import io.drayage.objectstore.MemoryObjects;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.objectstore.rate.ForwardingUpload;
import io.drayage.objectstore.rate.MeasuredStore;
import io.drayage.testing.Waiting;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class StoreToldTest {
  private static final int UPLOAD_BYTES = 32 << 20;

  /** Accepts about 100 MB/s. */
  private static final class SlowStore extends ForwardingStore {
    SlowStore() {
      super(new MemoryObjects("memory"));
    }

    @Override
    public ObjectUpload begin(String key) throws IOException {
      return new ForwardingUpload(super.begin(key)) {
        @Override
        public void write(ByteBuffer bytes) throws IOException {
          LockSupport.parkNanos(10L * bytes.remaining());
          super.write(bytes);
        }
      };
    }
  }

  @Test
  void workersAreToldWhatTheStoreTakes() throws Exception {
    MeasuredStore store = MeasuredStore.of(new SlowStore());
    try (TestCluster cluster = new TestCluster(store)) {
      TransactorNode node = cluster.transactor("t1");
      Waiting.await(() -> isAccepting(cluster, node));
      assertThat(storeOf(cluster, node).writeBytesPerSecond()).isZero();
      try (ObjectUpload upload = store.begin("data/" + new UUID(1, 1))) {
        upload.write(ByteBuffer.allocate(UPLOAD_BYTES));
        upload.complete();
      }
      assertThat(storeOf(cluster, node).writeBytesPerSecond()).isPositive();
    }
  }

  /** Whether the primary accepts shipments already. */
  private static boolean isAccepting(TestCluster cluster, TransactorNode node) {
    try {
      StoreShare unused = storeOf(cluster, node);
      return true;
    } catch (ShipmentException | InterruptedException e) {
      return false;
    }
  }

  private static StoreShare storeOf(TestCluster cluster, TransactorNode node)
      throws ShipmentException, InterruptedException {
    ShipmentHeader header =
        new ShipmentHeader(
            new UUID(3, 4),
            node.snapshot().timestamp(),
            ShipmentHeader.Pipeline.SEGMENTS,
            2,
            1,
            CommitOptions.DEFAULT,
            "w1");
    InetSocketAddress address =
        InetSocketAddress.createUnresolved("127.0.0.1", TestCluster.port(node));
    try (TransportClient client = cluster.transport.client(address, TransportOptions.DEFAULT);
        Shipment shipment = client.open(header)) {
      return shipment.store();
    }
  }
}
