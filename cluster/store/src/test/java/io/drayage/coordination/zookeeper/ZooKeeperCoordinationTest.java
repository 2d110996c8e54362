package io.drayage.coordination.zookeeper;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationBattery;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.DeposedException;
import io.drayage.coordination.HandOver;
import io.drayage.coordination.Maintenance;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.coordination.Registration;
import io.drayage.coordination.Term;
import io.drayage.coordination.TestCandidate;
import io.drayage.testing.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ZooKeeperCoordinationTest extends CoordinationBattery {
  private static final AtomicInteger LAST_ROOT = new AtomicInteger();

  @TempDir private static Path folder;
  @AutoClose private static EmbeddedZooKeeper server;

  private String root = "";

  @BeforeAll
  static void startServer() throws Exception {
    server = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
  }

  /** Gives each test a cluster of its own. */
  @BeforeEach
  void newRoot() {
    root = "test/cluster-" + LAST_ROOT.incrementAndGet();
  }

  private ZooKeeperOptions options() {
    return ZooKeeperOptions.of(server.servers() + "/" + root)
        .withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(20));
  }

  @Override
  protected Coordination connect() throws Exception {
    return ZooKeeperCoordination.connect(options());
  }

  private static void restartServer() throws Exception {
    int port = server.port();
    server.close();
    server = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), port);
  }

  @Test
  void aTakenPortIsNamed() {
    assertFails(
        () -> EmbeddedZooKeeper.start(folder.resolve("another"), server.port()),
        CoordinationException.class,
        "ZooKeeper cannot listen at 127.0.0.1:" + server.port());
  }

  @Test
  @Tag("nightly")
  void nothingIsLostWhenZooKeeperRestarts() throws Exception {
    Coordination anna = open();
    Coordination berta = open();
    TestCandidate candidate = new TestCandidate();
    anna.join(ANNA);
    anna.stand(ANNA, candidate);
    Term term = candidate.awaitElected();
    List<Long> seen = new CopyOnWriteArrayList<>();
    berta.watchPublished(published -> seen.add(published.timestamp()));

    Waiting.Running<Long> publishing = Waiting.start(() -> publish(term, 200));
    Waiting.await(() -> seen.size() > 20);
    restartServer();
    assertThat(publishing.get()).isEqualTo(200);

    Waiting.await(() -> seen.contains(200L));
    assertThat(seen).isSorted().doesNotHaveDuplicates();
    assertThat(term.isOver()).isFalse();
    assertThat(candidate.isElected()).isFalse();
    assertThat(berta.published()).contains(new PublishedSnapshot(at(200), term.epoch()));
    assertThat(berta.liveNodes()).containsExactly(ANNA);
  }

  /** Publishes a timestamp, and again after a failure: without an answer, its state is unknown. */
  private static long publish(Term term, long last) throws Exception {
    for (long timestamp = 1; timestamp <= last; ) {
      try {
        term.publish(at(timestamp));
        timestamp++;
        Thread.sleep(2);
      } catch (DeposedException e) {
        throw e;
      } catch (CoordinationException e) {
        assertThat(e).hasMessageContaining("ZooKeeper cannot");
      }
    }
    return last;
  }

  @Test
  @Tag("nightly")
  void aSessionThatEndsBehindAPrimarysBackDeposesIt() throws Exception {
    ZooKeeperCoordination anna = ZooKeeperCoordination.connect(options());
    Coordination berta = open();
    TestCandidate first = new TestCandidate();
    TestCandidate second = new TestCandidate();
    try {
      anna.join(ANNA);
      anna.stand(ANNA, first);
      Term term = first.awaitElected();
      berta.stand(BERTA, second);
      term.publish(at(1));

      Sessions.end(anna, server.servers());
      Term next = second.awaitElected();
      assertThatThrownBy(() -> term.publish(at(2))).isInstanceOf(DeposedException.class);
      next.publish(at(2));
      assertThat(first.awaitDeposed()).isSameAs(term);
      assertThat(berta.published()).contains(new PublishedSnapshot(at(2), next.epoch()));
      // Anna is live, and is among the nodes again.
      Waiting.await(() -> berta.liveNodes().contains(ANNA));
    } finally {
      anna.close();
    }
  }

  @Test
  @Tag("ci")
  void aNameIsTakenAsLongAsItsNodeLives() throws Exception {
    ZooKeeperOptions impatient =
        options().withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(3));
    NodeInfo other = new NodeInfo(ANNA.name(), "10.0.0.9:7070");
    Coordination first = open();
    first.join(ANNA);
    try (Coordination second = ZooKeeperCoordination.connect(impatient)) {
      assertThatThrownBy(() -> second.join(other))
          .isInstanceOf(CoordinationException.class)
          .hasMessage(
              "a node '%s' is in the cluster already, at %s: give this one another name"
                  .formatted(ANNA.name(), ANNA.address()));
    }
    try (Coordination second = connect()) {
      assertThat(second.liveNodes()).containsExactly(ANNA);
      first.close();
      second.join(other);
      assertThat(second.liveNodes()).containsExactly(other);
    }
  }

  /** All but one of them wait, and get the name one after the other. */
  @Test
  void ofNodesThatStartAtOnceWithOneNameOneIsLetIn() throws Exception {
    int nodes = 4;
    CyclicBarrier start = new CyclicBarrier(nodes);
    AtomicInteger within = new AtomicInteger();
    List<Waiting.Running<Void>> joining = new ArrayList<>();
    for (int port = 1; port <= nodes; port++) {
      Coordination coordination = open();
      NodeInfo node = new NodeInfo("anna", "127.0.0.1:" + port);
      joining.add(
          Waiting.start(
              () -> {
                start.await();
                Registration joined = coordination.join(node);
                assertThat(within.incrementAndGet()).isOne();
                assertThat(coordination.liveNodes()).containsExactly(node);
                within.decrementAndGet();
                joined.close();
                return null;
              }));
    }
    for (Waiting.Running<Void> each : joining) {
      each.get();
    }
  }

  @Test
  void anEntryThatCannotBeReadHidesNoOther() throws Exception {
    try (ZooKeeperCoordination anna = ZooKeeperCoordination.connect(options())) {
      anna.join(ANNA);
      Sessions.client(anna)
          .create(
              "/" + root + ZooKeeperCoordination.NODES + "/odd",
              new byte[] {'9', ' ', '?'},
              ZooDefs.Ids.OPEN_ACL_UNSAFE,
              CreateMode.EPHEMERAL);
      assertThat(anna.liveNodes()).containsExactly(ANNA);
      assertThat(anna.primary()).isEmpty();
    }
  }

  /** The session of an operator knows no workers. Workers must get its changes all the same. */
  @Test
  void aWorkerReadsWhatAnOperatorWrote() throws Exception {
    ZooKeeperOptions transactors = options().withCredentials("drayage:secret");
    try (ZooKeeperCoordination owner =
            ZooKeeperCoordination.connect(transactors.withWorkerCredentials("worker:weak"));
        ZooKeeperCoordination operator = ZooKeeperCoordination.connect(transactors);
        ZooKeeperCoordination worker =
            ZooKeeperCoordination.connect(options().withCredentials("worker:weak"))) {
      assertThat(owner.maintenance()).isEqualTo(Maintenance.NEVER);
      Maintenance on = operator.maintain(true, "the store moves");
      operator.requestHandOver(1, "anna");
      assertThat(worker.maintenance()).isEqualTo(on);
      List<HandOver> seen = new CopyOnWriteArrayList<>();
      worker.watchHandOver(seen::add);
      Waiting.await(() -> seen.contains(new HandOver(1, 1, "anna")));
    }
  }

  @Test
  void othersMayNotReadWhatCredentialsProtect() throws Exception {
    ZooKeeperOptions mine = options().withCredentials("drayage:secret");
    try (ZooKeeperCoordination owner = ZooKeeperCoordination.connect(mine)) {
      TestCandidate candidate = new TestCandidate();
      owner.stand(ANNA, candidate);
      candidate.awaitElected().publish(at(1));
      assertThat(owner.published()).isPresent();
      owner.join(ANNA);
      owner.requestHandOver(0, "anna");
      Maintenance unused = owner.maintain(true, "secret");
      List<String> paths = ZKUtil.listSubTreeBFS(Sessions.client(owner), "/" + root);
      assertThat(paths).hasSizeGreaterThan(7);
      for (String path : paths) {
        assertThat(Sessions.client(owner).getACL(path, new Stat()))
            .as(path)
            .allMatch(acl -> acl.getId().getScheme().equals("digest"));
      }
    }
    Coordination stranger = open();
    assertFails(stranger::published, CoordinationException.class, "NoAuth");
    assertThat(mine.toString()).doesNotContain("secret");
  }

  /** The session of a worker may be the first one, and may try any operation. */
  @Test
  void aWorkerReadsAndCannotPublish() throws Exception {
    root = "rights"; // Not below a root that other tests share.
    ZooKeeperOptions its = options().withCredentials("worker:weak");
    ZooKeeperOptions mine =
        options().withCredentials("drayage:secret").withWorkerCredentials("worker:weak");
    try (ZooKeeperCoordination worker = ZooKeeperCoordination.connect(its)) {
      worker.join(BERTA);
      ZooKeeper forged = Sessions.client(worker);
      byte[] data = NodeText.of(new PublishedSnapshot(at(9), 9));
      assertThat(
              forged.create(
                  "/" + root + ZooKeeperCoordination.PUBLISHED.path(),
                  new byte[0],
                  ZooDefs.Ids.OPEN_ACL_UNSAFE,
                  CreateMode.PERSISTENT))
          .endsWith("published");
      try (ZooKeeperCoordination owner = ZooKeeperCoordination.connect(mine)) {
        TestCandidate candidate = new TestCandidate();
        owner.join(ANNA);
        owner.stand(ANNA, candidate);
        Term term = candidate.awaitElected();
        term.publish(at(1));
        owner.requestHandOver(0, "anna");
        Maintenance unused = owner.maintain(false, "as ever");
        List<Long> seen = new CopyOnWriteArrayList<>();
        worker.watchPublished(published -> seen.add(published.timestamp()));
        term.publish(at(2));
        Waiting.await(() -> seen.contains(2L));
        assertThat(worker.primary().orElseThrow().node()).isEqualTo(ANNA);
        assertThat(worker.maintenance().isOn()).isFalse();
        assertThat(worker.liveNodes()).containsExactly(ANNA, BERTA);
        assertThat(owner.liveNodes()).containsExactly(ANNA, BERTA);

        for (String path : ZKUtil.listSubTreeBFS(Sessions.client(owner), "/" + root)) {
          if (path.endsWith(BERTA.name())) {
            continue;
          }
          assertRefused(() -> forged.setData(path, data, -1));
          assertRefused(() -> forged.setACL(path, ZooDefs.Ids.OPEN_ACL_UNSAFE, -1));
          if (!path.endsWith(ZooKeeperCoordination.NODES)) {
            assertRefused(
                () ->
                    forged.create(
                        path + "/x", data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL));
          }
        }
        for (String path : Sessions.client(owner).getChildren("/" + root, false)) {
          assertRefused(() -> forged.delete("/" + root + "/" + path, -1));
        }
        assertFails(
            () -> worker.requestHandOver(1, "berta"), CoordinationException.class, "NoAuth");
        assertFails(() -> worker.maintain(true, "forged"), CoordinationException.class, "NoAuth");
        assertFails(
            () -> worker.stand(BERTA, new TestCandidate()), CoordinationException.class, "NoAuth");
        assertThat(owner.published()).contains(new PublishedSnapshot(at(2), term.epoch()));
      }
    }
  }

  private static void assertRefused(ThrowableAssert.ThrowingCallable forgery) {
    assertThatThrownBy(forgery).isInstanceOf(KeeperException.NoAuthException.class);
  }

  @Test
  @Tag("nightly")
  void namesServersThatDoNotAnswer() {
    ZooKeeperOptions nobody =
        ZooKeeperOptions.of("127.0.0.1:1")
            .withTimeouts(Duration.ofSeconds(1), Duration.ofMillis(300));
    assertFails(
        () -> ZooKeeperCoordination.connect(nobody),
        CoordinationException.class,
        "ZooKeeper at 127.0.0.1:1 does not answer");
  }
}
