package io.drayage.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.database.Lag;
import io.drayage.database.TransactionProgress;
import io.drayage.frame.Fault;
import io.drayage.internal.Waits;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoreFailure;
import io.drayage.objectstore.WriteFailure;
import io.drayage.receive.ShipmentProgress;
import io.drayage.testing.Waiting;
import io.drayage.transactor.CommitTimes;
import io.drayage.transactor.NodeEvents;
import io.drayage.transactor.PublishedCommit;
import io.drayage.transactor.micrometer.TransactorMeters;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.netty.TestPki;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLConnection;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class AdminEndpointTest {
  private static final UUID TRANSACTION = new UUID(7, 7);

  private static final String HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\u202e\u0007";

  private static final String FULL_SNAPSHOT = "snapshots/00000000000000000001.full";

  /** More than the threads of the endpoint, and more than it admits at once. */
  private static final int STRANGERS = 200;

  /** Shorter than the timeouts that end the requests of strangers. */
  private static final int PATIENCE_MS = 4_000;

  @TempDir private Path folder;

  /** Open unless nodes must hang when they are asked for their progress. */
  private volatile CountDownLatch hanging = new CountDownLatch(0);

  private final HttpClient http = HttpClient.newHttpClient();
  private final NodeMeters meters = new NodeMeters(Duration.ofSeconds(6));
  private volatile @Nullable NodeReport report = standby(new Lag(2, 100), null);
  private final InMemoryCluster cluster = new InMemoryCluster();
  private ObjectStore objects;
  private Coordination coordination;
  private AdminEndpoint endpoint;

  @BeforeEach
  void start() throws IOException {
    objects = FolderStore.open(folder);
    objects.put(FULL_SNAPSHOT, ByteBuffer.allocateDirect(1));
    coordination = new InMemoryCoordination(cluster);
    endpoint = start(0, null);
  }

  private AdminEndpoint start(int port, TlsOptions.@Nullable Identity tls) throws IOException {
    return AdminEndpoint.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        tls,
        objects,
        coordination,
        meters,
        () -> {
          Waits.orInterrupted(hanging::await);
          return Objects.requireNonNull(report);
        });
  }

  private static NodeReport standby(@Nullable Lag lag, @Nullable String failure) {
    return new NodeReport("t1", "standby", null, 6, 8, lag, null, failure, null, null);
  }

  /** A report of a primary with two shipments and a transaction. */
  private static NodeReport primary(@Nullable StoreFailure storeFailure, NodeEvents events) {
    TransactorReport transactor =
        new TransactorReport(
            80,
            Long.MAX_VALUE,
            1_000,
            2,
            List.of(
                new ShipmentProgress(TRANSACTION, "worker 1", 3_000, Duration.ofSeconds(2), false),
                new ShipmentProgress(TRANSACTION, "worker 2", 0, Duration.ofSeconds(1), true)),
            List.of(
                new TransactionProgress(
                    TRANSACTION,
                    HOSTILE,
                    Duration.ofSeconds(9),
                    3,
                    758_061,
                    500,
                    Duration.ofSeconds(60),
                    false)),
            events.newest());
    return new NodeReport(
        "t1", "primary", 3L, 8, 8, Lag.NONE, null, null, storeFailure, transactor);
  }

  @AfterEach
  void stop() {
    endpoint.close();
    coordination.close();
    objects.close();
    meters.close();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(request(path).build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(endpoint.uri() + path));
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode awaitReady(int status) throws Exception {
    while (true) {
      HttpResponse<String> answer = get("/readyz");
      if (answer.statusCode() == status) {
        return new ObjectMapper().readTree(answer.body());
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void aStandbyIsReadyAndSaysWhatItKnows() throws Exception {
    JsonNode ready = awaitReady(200);

    assertThat(ready.get("ready").booleanValue()).isTrue();
    assertThat(ready.get("role").textValue()).isEqualTo("standby");
    assertThat(ready.get("epoch").isNull()).isTrue();
    assertThat(ready.get("lag").intValue()).isEqualTo(2);
    assertThat(ready.at("/store/lastSuccessAgeMs").isNumber()).isTrue();
    assertThat(ready.at("/zookeeper/failure").isNull()).isTrue();
  }

  @Test
  void aNodeThatIsBehindIsNotReadyAndSaysByHowMuch() throws Exception {
    JsonNode ready = awaitReady(200);
    assertThat(ready.get("lagLimit").longValue()).isEqualTo(Lag.LIMIT_SNAPSHOTS);
    assertThat(ready.get("lagLimitMs").longValue()).isEqualTo(Lag.LIMIT_MS);

    report = standby(new Lag(Lag.LIMIT_SNAPSHOTS, Lag.LIMIT_MS), null);
    assertThat(get("/readyz").statusCode()).isEqualTo(200);
    report = standby(new Lag(Lag.LIMIT_SNAPSHOTS + 1, 0), null);
    assertThat(awaitReady(503).get("lag").longValue()).isEqualTo(Lag.LIMIT_SNAPSHOTS + 1);
    report = standby(new Lag(1, Lag.LIMIT_MS + 1), null);
    assertThat(awaitReady(503).get("lagMs").longValue()).isEqualTo(Lag.LIMIT_MS + 1);
    report = standby(null, null);
    assertThat(awaitReady(503).get("lag").isNull()).isTrue();
  }

  @Test
  void aNodeThatCannotGoOnIsNotReadyButAlive() throws Exception {
    report = standby(new Lag(2, 100), "snapshot 7 is corrupt");

    JsonNode ready = awaitReady(503);

    assertThat(ready.get("failure").textValue()).isEqualTo("snapshot 7 is corrupt");
    assertThat(get("/livez").statusCode()).isEqualTo(200);
  }

  @Test
  void aPrimaryThatCannotWriteItsStoreIsNotReadyAndSaysWhy() throws Exception {
    report =
        primary(
            new StoreFailure(WriteFailure.FULL, "fs:/s: No space left on device"),
            new NodeEvents());

    JsonNode ready = awaitReady(503);

    assertThat(ready.at("/store/failure").textValue()).endsWith("No space left on device");
    assertThat(ready.get("failure").isNull()).isTrue();
  }

  @Test
  void aStoreWithoutSnapshotsDoesNotCount() throws Exception {
    objects.delete(FULL_SNAPSHOT);
    endpoint.close();
    endpoint = start(0, null);

    JsonNode ready = awaitReady(503);

    while (ready.at("/store/failure").textValue().equals("not asked yet")) {
      ready = awaitReady(503);
    }
    assertThat(ready.at("/store/failure").textValue()).endsWith("holds no snapshot");
    assertThat(ready.at("/store/lastSuccessAgeMs").isNull()).isTrue();
  }

  @Test
  void whatCannotBeShownIsAnErrorAndNoMore() throws Exception {
    report = null;

    assertThat(get("/readyz").statusCode()).isEqualTo(500);
    assertThat(get("/livez").statusCode()).isEqualTo(200);
  }

  @Test
  void shipmentsAreShownWithTheirRate() throws Exception {
    report = primary(null, new NodeEvents());
    JsonNode shipments = new ObjectMapper().readTree(get("/shipments").body());
    JsonNode shipment = shipments.get(0);

    assertThat(shipment.get("worker").textValue()).isEqualTo("worker 1");
    assertThat(shipment.get("transaction").textValue()).isEqualTo(TRANSACTION.toString());
    assertThat(shipment.get("wireBytesPerSecond").intValue()).isEqualTo(1_500);
    assertThat(shipment.get("waits").booleanValue()).isFalse();
    assertThat(shipments.get(1).get("waits").booleanValue()).isTrue();
  }

  @Test
  void thePageIsHtmlThatRunsItsOwnScriptAlone() throws Exception {
    HttpResponse<String> page = get("/");

    assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("default-src 'none'")
        .containsPattern("; style-src 'sha256-[A-Za-z0-9+/]{43}='; script-src 'sha256-[^']{44}'$");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(page.body())
        .contains("name=\"viewport\"", "prefers-color-scheme: dark")
        .doesNotContain("http:", "https:", "innerHTML", " style=\"", " onclick=");
  }

  @Test
  void theStateIsJsonAndHostileNamesAreEscaped() throws Exception {
    DrayageMetrics metrics = new DrayageMetrics();
    metrics.addFailed(Fault.FULL);
    meters.addShipments(metrics);
    NodeEvents events = new NodeEvents();
    events.add(HOSTILE + " joined");
    report = primary(new StoreFailure(WriteFailure.OTHER, HOSTILE), events);

    HttpResponse<String> answer = get("/status");
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(answer.body()).doesNotContain("\u202e", "\u0007");
    JsonNode state = new ObjectMapper().readTree(answer.body());
    assertThat(state.at("/name").textValue()).isEqualTo("t1");
    assertThat(state.at("/health/level").textValue()).isEqualTo("error");
    assertThat(state.at("/health").toString())
        .contains("t1 cannot write the store, because of an error (</script>");
    assertThat(state.at("/transactions/0/owner").textValue()).isEqualTo(HOSTILE);
    assertThat(state.at("/transactions/0/leaseLeftMs").intValue()).isEqualTo(60_000);
    assertThat(state.at("/events/0/text").textValue()).startsWith(HOSTILE);
    assertThat(state.at("/memory/0/limitBytes").isNull()).isTrue();
    assertThat(state.at("/counters/waiting").intValue()).isEqualTo(1);
    assertThat(state.at("/refused/0/fault").textValue()).isEqualTo("FULL");
    assertThat(state.at("/refused/0/times").intValue()).isEqualTo(1);
  }

  @Test
  void theStateFollowsTheCluster() throws Exception {
    Coordination other = new InMemoryCoordination(cluster);
    awaitStatus(state -> state.at("/nodes").isEmpty() && state.at("/primary").isNull());
    Membership t2 = other.join(new NodeInfo("t2", "127.0.0.1:2"));
    awaitStatus(state -> state.at("/nodes/0/name").asText().equals("t2"));
    t2.close();
    JsonNode state = awaitStatus(each -> each.at("/events/0/text").asText().contains("left"));
    assertThat(state.at("/health/sentence").textValue())
        .isEqualTo("No node is primary, so nothing can be committed: start a transactor.");
    other.close();
  }

  private JsonNode awaitStatus(Predicate<JsonNode> isWanted) throws Exception {
    while (true) {
      JsonNode state = new ObjectMapper().readTree(get("/status").body());
      if (isWanted.test(state)) {
        return state;
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void metersAreLinesOfPrometheus() throws Exception {
    meters.addFollower(() -> Objects.requireNonNull(report));
    HttpResponse<String> answer = get("/metrics");

    assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/plain; version=0.0.4");
    assertThat(answer.body().lines())
        .contains("drayage_snapshot_lag 2.0", "drayage_snapshot_lag_age_seconds 0.1")
        .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""));
  }

  @Test
  void theAgeOfTheNewestFullSnapshotAndTheLogSinceAreShown() throws Exception {
    awaitReady(200);
    assertThat(get("/metrics").body().lines()).contains("drayage_snapshot_full_entries 0.0");

    objects.put("snapshots/00000000000000000002.commit", ByteBuffer.allocateDirect(1));
    endpoint.close();
    endpoint = start(0, null);
    awaitReady(200);

    assertThat(get("/metrics").body().lines())
        .contains("drayage_snapshot_full_entries 1.0")
        .anyMatch(line -> line.matches("drayage_snapshot_full_age_seconds [0-9.E-]+"));
  }

  /** Needs Debian's package prometheus. */
  @Test
  void prometheusReadsTheMeters() throws Exception {
    Path promtool = Path.of("/usr/bin/promtool");
    Assumptions.assumeTrue(Files.isExecutable(promtool), promtool + " is not installed");
    meters.addShipments(new DrayageMetrics());
    TransactorMeters commits = meters.addCommits();
    commits.accept(
        new PublishedCommit(
            new CommitTimes(TRANSACTION, 7, 0, 1_000_000, 20_000, 3_000_000, 400_000),
            "w",
            List.of(),
            List.of(),
            null));
    Process check =
        new ProcessBuilder(promtool.toString(), "check", "metrics")
            .redirectErrorStream(true)
            .start();
    try (OutputStream in = check.getOutputStream()) {
      in.write(get("/metrics").body().getBytes(StandardCharsets.UTF_8));
    }
    assertThat(new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEmpty();
    assertThat(check.waitFor()).isZero();
  }

  @Test
  void threadsHaveTheirStacks() throws Exception {
    assertThat(get("/threads").body()).contains("drayage-admin", "    at ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE"})
  void nothingCanBeChanged(String method) throws Exception {
    HttpRequest request =
        request("/readyz").method(method, HttpRequest.BodyPublishers.ofString("x")).build();
    assertThat(send(request).statusCode()).isEqualTo(405);
  }

  @Test
  void whatThereIsNotIsNotFound() throws Exception {
    HttpResponse<String> answer = get("/metric");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).contains("/metrics");
  }

  /** The request of a stranger who then waits, or goes on slowly, or never reads the answer. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "G",
        "GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        "POST /readyz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx",
        "GET /threads HTTP/1.1\r\nHost: x\r\n\r\n",
        "\u0016\u0003\u0001\u0002\u0000\u0001"
      })
  void whoeverIsSlowKeepsNobodyWaiting(String sent) throws Exception {
    assertAnswersBeside(endpoint, sent);
  }

  @Test
  void itSpeaksTlsAndWhoeverBeginsNoneKeepsNobodyWaiting() throws Exception {
    try (AdminEndpoint secured = start(0, new TestPki(folder).identity("node.test"))) {
      assertThat(secured.uri()).hasScheme("https");
      assertAnswersBeside(secured, "", "\u0016\u0003\u0001\u0002\u0000\u0001");
    }
  }

  private void assertAnswersBeside(AdminEndpoint asked, String... sent) throws Exception {
    List<Socket> strangers = new ArrayList<>();
    try {
      for (int i = 0; i < STRANGERS; i++) {
        Socket stranger = new Socket(asked.uri().getHost(), asked.uri().getPort());
        strangers.add(stranger);
        stranger
            .getOutputStream()
            .write(sent[i % sent.length].getBytes(StandardCharsets.ISO_8859_1));
        stranger.getOutputStream().flush();
        if (i % 50 == 49) {
          assertThat(read(asked, "/livez")).isEqualTo("alive\n");
        }
      }
      Waiting.await(() -> isServed(asked, "/metrics")); // Strangers who want pages may be first.
    } finally {
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
  }

  private static boolean isServed(AdminEndpoint asked, String page) {
    try {
      return read(asked, page).contains("jvm_memory_used_bytes");
    } catch (Exception e) {
      assertThat(e).hasMessageContaining("503"); // At once, even while others wait.
      return false;
    }
  }

  /** Reads on a new connection, as a probe does. */
  private static String read(AdminEndpoint asked, String path) throws Exception {
    URLConnection connection = asked.uri().resolve(path).toURL().openConnection();
    connection.setReadTimeout(PATIENCE_MS);
    if (connection instanceof HttpsURLConnection secured) {
      SSLContext trusting = SSLContext.getInstance("TLS");
      trusting.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
      secured.setSSLSocketFactory(trusting.getSocketFactory());
      secured.setHostnameVerifier((host, session) -> session.getProtocol().equals("TLSv1.3"));
    }
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** A hanging registry or node must not make /livez fail, or the process would be ended. */
  @Test
  void itIsAliveWhateverElseHangs() throws Exception {
    CountDownLatch mayAnswer = new CountDownLatch(1);
    hanging = mayAnswer;
    List<Socket> waiting = new ArrayList<>();
    try {
      for (int i = 0; i < 50; i++) { // More requests than may wait.
        Socket one = new Socket(endpoint.uri().getHost(), endpoint.uri().getPort());
        waiting.add(one);
        one.getOutputStream()
            .write("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      }
      assertThat(read(endpoint, "/livez")).isEqualTo("alive\n");
      mayAnswer.countDown();
      Waiting.await(() -> isAnswered("/readyz"));
    } finally {
      mayAnswer.countDown();
      for (Socket one : waiting) {
        one.close();
      }
    }
  }

  private boolean isAnswered(String path) {
    try {
      return !read(endpoint, path).isEmpty();
    } catch (Exception e) {
      return false;
    }
  }

  @Test
  void whatIsNoHttpIsRefused() throws Exception {
    try (Socket socket = new Socket(endpoint.uri().getHost(), endpoint.uri().getPort())) {
      socket.getOutputStream().write("\r\nHELLO\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 400");
    }
  }

  @Test
  void aHeadHasNoBody() throws Exception {
    HttpRequest head =
        request("/livez").method("HEAD", HttpRequest.BodyPublishers.noBody()).build();
    HttpResponse<String> answer = send(head);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValueAsLong("Content-Length")).hasValue("alive\n".length());
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void aTakenPortIsNamed() {
    int port = endpoint.uri().getPort();
    assertThatThrownBy(() -> start(port, null))
        .isInstanceOf(BindException.class)
        .hasMessage(
            "cannot listen at localhost:%d: the port is in use: name another one, or stop the"
                + " process that uses it",
            port);
  }
}
