package io.drayage.coordination;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Checks that every node can read what its transactors accept. */
final class MembershipTest {
  private static final Set<String> FEW = Set.of("pipeline.segments", "serializer.raw");
  private static final Set<String> MORE =
      Set.of("pipeline.segments", "pipeline.stream", "serializer.msgpack", "serializer.raw");

  @AutoClose
  private final InMemoryCoordination cluster = new InMemoryCoordination(new InMemoryCluster());

  private static NodeInfo transactor(String name, Set<String> codecs) {
    return new NodeInfo(name, "127.0.0.1:1000", codecs);
  }

  private static NodeInfo worker(String name, Set<String> codecs) {
    return new NodeInfo(name, NodeInfo.NO_ADDRESS, codecs);
  }

  private void assertRefused(NodeInfo node, String reader, String transactor) throws Exception {
    var before = cluster.liveNodes();
    assertFails(
        () -> CodecAgreement.join(cluster, node),
        CoordinationException.class,
        "node '%s' does not read what transactor '%s' accepts: pipeline.stream, serializer.msgpack"
            .formatted(reader, transactor));
    assertThat(cluster.liveNodes()).isEqualTo(before);
  }

  @Test
  void aWorkerThatReadsLessThanTheTransactorAcceptsIsRefused() throws Exception {
    CodecAgreement.join(cluster, transactor("t1", MORE));
    CodecAgreement.join(cluster, worker("w1", MORE));
    assertRefused(worker("w2", FEW), "w2", "t1");
  }

  @Test
  void aTransactorThatAcceptsMoreThanAnyNodeReadsIsRefused() throws Exception {
    CodecAgreement.join(cluster, worker("w1", FEW));
    assertRefused(transactor("t1", MORE), "w1", "t1");
    CodecAgreement.join(cluster, transactor("t2", FEW));
  }

  @Test
  void aTransactorReadsWhatTheOthersAccept() throws Exception {
    CodecAgreement.join(cluster, transactor("t1", MORE));
    assertRefused(transactor("t2", FEW), "t2", "t1");
  }

  @Test
  void workersMayReadMore() throws Exception {
    CodecAgreement.join(cluster, worker("w1", MORE));
    CodecAgreement.join(cluster, worker("w2", FEW));
    CodecAgreement.join(cluster, transactor("t1", FEW));
    assertThat(cluster.liveNodes()).hasSize(3);
  }
}
