package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a node's endpoint, whose address the node has printed. */
final class AdminClient {
  private static final long DEADLINE_S = 60;
  private static final Pattern ADDRESS = Pattern.compile("administration at (\\S+)");

  private final String address;

  private AdminClient(String address) {
    this.address = address;
  }

  static AdminClient of(ChildNode node) throws IOException, InterruptedException {
    node.awaitLine("administration at ");
    Matcher matcher = ADDRESS.matcher(node.output());
    assertThat(matcher.find()).isTrue();
    return new AdminClient(matcher.group(1));
  }

  private HttpResponse<String> ask(String path) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(address + path)).build(), BodyHandlers.ofString());
  }

  /** A page that is well. */
  String get(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = ask(path);
    assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(200);
    return answer.body();
  }

  /** Waits until the node is ready, for what it says then. */
  String awaitReady() throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
    while (true) {
      HttpResponse<String> answer = ask("/readyz");
      if (answer.statusCode() == 200) {
        return answer.body();
      }
      assertThat(System.nanoTime() - deadlineNs).as("%s", answer.body()).isNegative();
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
