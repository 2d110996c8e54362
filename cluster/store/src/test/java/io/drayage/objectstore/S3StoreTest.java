package io.drayage.objectstore;

import static io.drayage.internal.Texts.format;
import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class S3StoreTest extends ObjectStoreBattery {
  private static final AtomicInteger LAST_PREFIX = new AtomicInteger();

  @TempDir private static Path folder;

  @AutoClose("stop")
  private static S3Server server;

  @BeforeAll
  static void startServer() throws Exception {
    server = S3Server.start(folder);
  }

  @Override
  protected ObjectStore open() throws Exception {
    return ObjectStores.open(
        format(
            "s3:%s/test-%d?endpoint=%s&part-bytes=5242880&parts-in-flight=2",
            S3Server.BUCKET, LAST_PREFIX.incrementAndGet(), server.endpoint()));
  }

  private static S3Options at(URI endpoint) {
    return S3Options.parse(format("%s?endpoint=%s&attempt-timeout=2", S3Server.BUCKET, endpoint));
  }

  @Test
  void namesABucketThatIsMissing() {
    assertFails(
        () -> ObjectStores.open("s3:absent-bucket?endpoint=" + server.endpoint()),
        ObjectStoreException.class,
        "bucket 'absent-bucket'");
  }

  @Test
  void namesAServerThatIsNotThere() {
    assertFails(
        () -> S3Store.open(at(URI.create("http://127.0.0.1:1")), Duration.ofMillis(50)),
        ObjectStoreException.class,
        "s3:" + S3Server.BUCKET);
  }

  /** The statuses of the probe, of other objects and of the bucket. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200 | 200 | 200 | the server ignores If-None-Match on puts |",
        "403 | 403 | 200 | .fence may neither be written | nor read",
        "301 | 301 | 301 | it is in region 'eu-central-1' | add region=eu-central-1",
      })
  void namesWhyABucketCannotBeUsed(int probe, int object, int bucket, String why, String more)
      throws Exception {
    try (FakeServer server = new FakeServer(always(object), always(probe), always(bucket))) {
      assertThatThrownBy(() -> S3Store.open(at(server.endpoint())))
          .isExactlyInstanceOf(ObjectStoreException.class)
          .hasMessageContainingAll(why, more == null ? S3Server.BUCKET : more);
    }
  }

  private static HttpHandler always(int status) {
    return exchange -> {
      exchange.getResponseHeaders().set("x-amz-bucket-region", "eu-central-1");
      answer(exchange, status);
    };
  }

  @Test
  void asksOnceIfTheProbeIsThere() throws Exception {
    AtomicInteger puts = new AtomicInteger();
    HttpHandler counting =
        exchange -> {
          puts.incrementAndGet();
          assertThat(exchange.getRequestHeaders().getFirst("If-None-Match")).isEqualTo("*");
          answer(exchange, 412);
        };
    try (FakeServer server = new FakeServer(exchange -> {}, counting)) {
      S3Store.open(at(server.endpoint())).close();
      assertThat(puts).hasValue(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 405, 501})
  void canBeReadByWhoMayNotWrite(int refusal) throws Exception {
    try (FakeServer server = new FakeServer(readOnly(refusal), readOnly(refusal));
        S3Store store = S3Store.open(at(server.endpoint()))) {
      assertThatThrownBy(() -> store.put("refused", bytes(3, 10)))
          .isExactlyInstanceOf(ObjectStoreException.class)
          .hasMessageContaining("refused");
      assertThatThrownBy(store::requireWritable)
          .isExactlyInstanceOf(ObjectStoreException.class)
          .hasMessageContaining("bucket 'drayage-test': it can be read, but not written")
          .hasMessageContaining(String.valueOf(refusal));
    }
  }

  private static HttpHandler readOnly(int refusal) {
    return exchange -> answer(exchange, exchange.getRequestMethod().equals("PUT") ? refusal : 404);
  }

  @Test
  void refusesAFileOfCredentialsThatOthersCanRead() throws Exception {
    assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
    assumeTrue(System.getenv("AWS_ACCESS_KEY_ID") == null);
    Path file = Files.writeString(folder.resolve("credentials"), "[default]\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    System.setProperty("aws.sharedCredentialsFile", file.toString());
    System.clearProperty("aws.accessKeyId");
    try {
      assertFails(
          () -> S3Store.open(at(server.endpoint())),
          IOException.class,
          file + ": others can read this secret, its mode is 0644",
          "chmod 600 " + file);
    } finally {
      System.clearProperty("aws.sharedCredentialsFile");
      S3Server.useCredentials();
    }
    S3Store.open(at(server.endpoint())).close();
  }

  @Test
  void endsNoUploadOfAnotherApplication() throws Exception {
    try (S3Store store = S3Store.open(at(server.endpoint()))) {
      ObjectUpload others = store.begin("reports/2026");
      others.write(bytes(4, S3Options.DEFAULT_PART_BYTES + 1));

      Predicate<String> ours = key -> key.startsWith("data/");
      assertThat(store.deleteUnfinished(ours, Duration.ofSeconds(-10))).isZero();
      others.complete();
    }
  }

  private static void answer(HttpExchange exchange, int status) throws IOException {
    exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  @Test
  @Tag("nightly")
  void givesUpOnAServerThatStalls() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (FakeServer stalling = new FakeServer(exchange -> await(end));
        S3Store store = S3Store.open(at(stalling.endpoint()))) {
      assertFails(() -> store.put("stalled", bytes(1, 10)), ObjectStoreException.class, "stalled");
      end.countDown();
    }
  }

  private static void await(CountDownLatch end) throws IOException {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void namesAnAnswerThatIsGarbage() throws Exception {
    try (FakeServer garbage = new FakeServer(S3StoreTest::answerGarbage);
        S3Store store = S3Store.open(at(garbage.endpoint()), Duration.ofMillis(50))) {
      assertFails(() -> store.list("any/"), ObjectStoreException.class, "any/");
    }
  }

  private static void answerGarbage(HttpExchange exchange) throws IOException {
    byte[] garbage = "<<<no xml".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, garbage.length);
    exchange.getResponseBody().write(garbage);
    exchange.close();
  }

  @Test
  void readsOptions() {
    S3Options options =
        S3Options.parse("bucket/some/prefix?endpoint=http://host:9000&region=eu-west-1");
    assertThat(options.prefix()).isEqualTo("some/prefix/");
    assertThat(options.endpoint()).isEqualTo(URI.create("http://host:9000"));
    assertThat(options.region()).isEqualTo("eu-west-1");
    assertThatThrownBy(() -> S3Options.parse("bucket?colour=red"))
        .hasMessageContaining("'colour' is not an option of S3");
    assertThatThrownBy(() -> S3Options.parse("x")).hasMessageContaining("name of a bucket");
    assertThatThrownBy(() -> S3Options.parse("bucket?part-bytes=1"))
        .hasMessageContaining("must be 5,242,880 or more");
  }

  /** A server that answers HEAD of the bucket and the probe; a handler does all else. */
  private static final class FakeServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    FakeServer(HttpHandler handler) throws IOException {
      this(handler, exchange -> answer(exchange, 412));
    }

    FakeServer(HttpHandler handler, HttpHandler probe) throws IOException {
      this(handler, probe, exchange -> answer(exchange, 200));
    }

    FakeServer(HttpHandler handler, HttpHandler probe, HttpHandler bucket) throws IOException {
      S3Server.useCredentials();
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(threads);
      server.createContext(
          "/",
          exchange -> {
            if (exchange.getRequestURI().getPath().equals("/" + S3Server.BUCKET)
                && exchange.getRequestMethod().equals("HEAD")) {
              bucket.handle(exchange);
            } else if (exchange.getRequestURI().getPath().endsWith("/.fence")) {
              probe.handle(exchange);
            } else {
              handler.handle(exchange);
            }
          });
      server.start();
    }

    URI endpoint() {
      return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
      server.stop(0);
      threads.shutdownNow();
    }
  }
}
