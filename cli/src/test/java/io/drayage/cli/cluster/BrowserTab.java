package io.drayage.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.bench.report.Browser;
import io.drayage.testing.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A page in a headless Chromium, which the DevTools protocol drives. Not thread-safe. */
final class BrowserTab implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int ANSWER_S = 60;

  private final HttpClient http = HttpClient.newHttpClient();
  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final Process process;
  private final WebSocket socket;
  private int asked;

  /** Opens a page. */
  BrowserTab(Browser browser, Path folder, URI page) throws Exception {
    process =
        new ProcessBuilder(browser.command(folder, "--remote-debugging-port=0", page.toString()))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("browser.log").toFile())
            .start();
    try {
      socket =
          http.newWebSocketBuilder()
              .buildAsync(address(folder, page), new Listener())
              .get(ANSWER_S, TimeUnit.SECONDS);
    } catch (Exception e) {
      end();
      throw e;
    }
  }

  /** Waits for the port of the browser and for its page. */
  private URI address(Path folder, URI page) throws Exception {
    Path portFile = folder.resolve("profile").resolve("DevToolsActivePort");
    Waiting.await(() -> Files.exists(portFile) && Files.readString(portFile).contains("\n"));
    String port = Files.readAllLines(portFile).get(0);
    URI list = URI.create("http://127.0.0.1:" + port + "/json/list");
    while (true) {
      String tabs =
          http.send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      for (JsonNode tab : JSON.readTree(tabs)) {
        if (tab.path("url").asText().startsWith(page.toString())) {
          return URI.create(tab.path("webSocketDebuggerUrl").asText());
        }
      }
      Thread.onSpinWait();
    }
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
      text.append(part);
      if (isLast) {
        messages.add(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  /** Calls a method of the protocol, and returns its result. */
  JsonNode call(String method, Map<String, ?> parameters) throws Exception {
    int id = ++asked;
    socket
        .sendText(
            JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
        .get(ANSWER_S, TimeUnit.SECONDS);
    while (true) {
      String message = messages.poll(ANSWER_S, TimeUnit.SECONDS);
      if (message == null) {
        throw new IOException("the browser does not answer " + method);
      }
      JsonNode answer = JSON.readTree(message);
      if (answer.path("id").asInt() == id) {
        return answer.path("result");
      }
    }
  }

  /** Returns the value of an expression of JavaScript as a text. */
  String evaluate(String expression) throws Exception {
    return call("Runtime.evaluate", Map.of("expression", "String(" + expression + ")"))
        .at("/result/value")
        .asText();
  }

  private void end() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join(); // Its files are no longer written.
  }

  @Override
  public void close() {
    socket.abort();
    end();
  }
}
