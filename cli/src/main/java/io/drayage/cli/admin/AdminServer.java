package io.drayage.cli.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.drayage.codec.pool.DaemonThreads;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Answers GET for a fixed set of paths, by HTTP/1.1 or HTTPS, on {@value #THREADS} threads for at
 * most {@value #MAX_CONNECTIONS} connections. Who sends a request or takes an answer too slowly is
 * cut off. Thread-safe.
 */
final class AdminServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AdminServer.class.getName());
  private static final int THREADS = 4;
  private static final int MAX_CONNECTIONS = 64;
  private static final int BACKLOG = 16;

  /** Of the JDK's server, which reads them once; what the user has set stays. */
  private static final Map<String, Integer> LIMITS =
      Map.of(
          "sun.net.httpserver.maxReqTime", 10, // seconds
          "sun.net.httpserver.maxRspTime", 30,
          "jdk.httpserver.maxConnections", MAX_CONNECTIONS);

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, new DaemonThreads("drayage-admin"));

  /**
   * What a path answers.
   *
   * @param status the HTTP status
   * @param type the media type
   */
  record Answer(int status, String type, String text) {
    static Answer text(int status, String text) {
      return new Answer(status, "text/plain; charset=utf-8", text);
    }
  }

  /** Makes an answer. May be called by several threads. */
  interface Page {
    Answer answer() throws IOException;
  }

  /**
   * Starts a server.
   *
   * @param tls null for plain HTTP
   * @param pages by path
   * @throws IOException if the address cannot be had, naming it
   */
  AdminServer(InetSocketAddress address, @Nullable SSLContext tls, Map<String, Page> pages)
      throws IOException {
    LIMITS.forEach(
        (name, limit) -> System.getProperties().putIfAbsent(name, Integer.toString(limit)));
    this.server = open(address, tls);
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, pages));
    server.start();
  }

  private static HttpServer open(InetSocketAddress address, @Nullable SSLContext tls)
      throws IOException {
    try {
      if (tls == null) {
        return HttpServer.create(address, BACKLOG);
      }
      HttpsServer secured = HttpsServer.create(address, BACKLOG);
      secured.setHttpsConfigurator(new HttpsConfigurator(tls));
      return secured;
    } catch (BindException e) {
      throw new IOException(
          "--admin %s:%d: %s".formatted(address.getHostString(), address.getPort(), e.getMessage()),
          e);
    }
  }

  /** Where it listens. */
  InetSocketAddress address() {
    return server.getAddress();
  }

  private static void answer(HttpExchange exchange, Map<String, Page> pages) throws IOException {
    try (exchange) {
      Answer answer = answerTo(exchange, pages);
      byte[] body = answer.text().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      boolean isHead = "HEAD".equals(exchange.getRequestMethod());
      exchange.sendResponseHeaders(answer.status(), isHead ? -1 : body.length);
      if (!isHead) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  private static Answer answerTo(HttpExchange exchange, Map<String, Page> pages) {
    String method = exchange.getRequestMethod();
    Page page = pages.get(exchange.getRequestURI().getPath());
    if (page == null) {
      return Answer.text(404, "there is: %s\n".formatted(String.join(" ", pages.keySet())));
    }
    if (!"GET".equals(method) && !"HEAD".equals(method)) {
      return Answer.text(405, "only GET and HEAD\n");
    }
    try {
      return page.answer();
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, "no answer for " + exchange.getRequestURI(), e);
      return Answer.text(500, e + "\n");
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
