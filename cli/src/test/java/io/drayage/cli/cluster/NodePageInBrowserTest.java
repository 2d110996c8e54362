package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.admin.AdminEndpoint;
import io.drayage.admin.NodeMeters;
import io.drayage.admin.NodeReport;
import io.drayage.admin.TransactorReport;
import io.drayage.bench.report.Browser;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.database.Lag;
import io.drayage.database.TransactionProgress;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.testing.Waiting;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.netty.NettyTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of a node, shown by a browser. */
@Tag("ci")
@Timeout(300)
final class NodePageInBrowserTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final String SENTENCE = "document.querySelector('h1').textContent";
  private static final String HOSTILE =
      "<img src=x onerror=alert(1)></td><script>alert(2)</script>";

  @TempDir private Path folder;
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final NodeMeters meters = new NodeMeters(Duration.ofSeconds(60));
  private Browser browser;
  private ObjectStore objects;

  @BeforeEach
  void open() throws IOException {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.remove(Browser.VARIABLE, Browser.NONE);
    Browser found = Browser.find(environment);
    assumeTrue(found != null, "no Chromium on the path: the page is not shown");
    browser = found;
    objects = ObjectStores.open("fs:" + folder.resolve("store"));
  }

  @AfterEach
  void close() {
    meters.close();
    if (objects != null) {
      objects.close();
    }
  }

  private TransactorNode transactor(String name, Coordination coordination) throws IOException {
    return TransactorNode.start(
        TransactorOptions.builder(name, ANY_PORT).build(),
        coordination,
        objects,
        NettyTransport.best(),
        commit -> {},
        new DrayageMetrics());
  }

  private static void awaitSentence(BrowserTab tab, String begin) throws Exception {
    Waiting.await(() -> tab.evaluate(SENTENCE).startsWith(begin));
  }

  @Test
  void theSentenceChangesWithoutAReload() throws Exception {
    try (Coordination first = new InMemoryCoordination(cluster);
        Coordination second = new InMemoryCoordination(cluster)) {
      TransactorNode t1 = transactor("t1", first);
      Waiting.await(t1::isPrimary);
      try (TransactorNode t2 = transactor("t2", second)) {
        AdminEndpoint endpoint = AdminEndpoint.start(ANY_PORT, objects, second, meters, t2);
        try (BrowserTab tab = new BrowserTab(browser, folder, endpoint.uri())) {
          awaitSentence(tab, "Nothing is wrong.");
          assertThat(tab.evaluate("window.mark = 'not loaded again'")).isNotEmpty();
          assertThat(tab.evaluate("document.querySelector('#nodes').innerText"))
              .contains("t1", "primary", "t2 (this one)", "standby");

          t1.close();
          awaitSentence(tab, "No standby is left, because t1 left the cluster");
          assertThat(tab.evaluate("document.querySelector('#events').innerText"))
              .contains("t1 left the cluster", "is elected, epoch 2");
          requireFits(tab);

          endpoint.close();
          awaitSentence(tab, "t2 has not answered since");
          assertThat(tab.evaluate("window.mark")).isEqualTo("not loaded again");
        } finally {
          endpoint.close();
        }
      } finally {
        t1.close();
      }
    }
  }

  /** A phone has no horizontal scroll bar. */
  private static void requireFits(BrowserTab tab) throws Exception {
    tab.call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", 390, "height", 844, "deviceScaleFactor", 1, "mobile", true));
    Waiting.await(() -> tab.evaluate("innerWidth").equals("390"));
    assertThat(tab.evaluate("document.documentElement.scrollWidth")).isEqualTo("390");
  }

  @Test
  void aNameThatIsHtmlIsShownAsText() throws Exception {
    NodeReport report =
        new NodeReport(
            "t1", "primary", 3L, 8, 8, Lag.NONE, null, HOSTILE, null, transactor(HOSTILE));
    try (Coordination coordination = new InMemoryCoordination(cluster);
        AdminEndpoint endpoint =
            AdminEndpoint.start(ANY_PORT, null, objects, coordination, meters, () -> report);
        BrowserTab tab = new BrowserTab(browser, folder, endpoint.uri())) {
      Waiting.await(
          () -> tab.evaluate("document.querySelectorAll('#transactions td').length").equals("5"));
      assertThat(tab.evaluate("document.querySelectorAll('#transactions td')[1].textContent"))
          .isEqualTo(HOSTILE);
      assertThat(tab.evaluate("document.body.innerText")).contains("(" + HOSTILE + ")");
      assertThat(tab.evaluate("document.querySelectorAll('img').length")).isEqualTo("0");
      assertThat(tab.evaluate("document.querySelectorAll('script').length")).isEqualTo("1");
    }
  }

  private static TransactorReport transactor(String owner) {
    TransactionProgress open =
        new TransactionProgress(
            new UUID(7, 7), owner, Duration.ZERO, 1, 10, 10, Duration.ofSeconds(60), false);
    return new TransactorReport(80, 100, 1_000, 0, List.of(), List.of(open), List.of());
  }
}
