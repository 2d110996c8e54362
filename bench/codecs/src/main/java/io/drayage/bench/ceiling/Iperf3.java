package io.drayage.bench.ceiling;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.bench.link.Link;
import io.drayage.transport.TransportOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection of {@code iperf3} from the first worker's host to the transactor's. Not
 * thread-safe.
 *
 * @param link the path; the caller closes it
 * @param deadline for one measurement
 */
record Iperf3(Link link, Duration deadline) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The exit code of a process that was killed: 128 and the number of SIGKILL. */
  private static final int KILLED = 137;

  /** The congestion control of the transports over loopback; a link has its own. */
  private static final List<String> OVER_LOOPBACK =
      List.of("-C", TransportOptions.UNPACED_CONGESTION_CONTROL);

  /**
   * Fewer bytes may all be in the sockets' buffers when the sender ends the test. The receiver then
   * reports that it read none.
   */
  private static final long MIN_BYTES = 64 << 20;

  /**
   * Measures the rate.
   *
   * @param bytes the bytes to send; more are sent if these are too few for a measurement
   * @return the receiver's time for {@code bytes}, in nanoseconds
   * @throws IOException if it failed, with the reason
   */
  long run(long bytes) throws IOException, InterruptedException {
    String port = String.valueOf(freePort());
    Process server =
        start(link.transactor().command(List.of("iperf3", "-s", "-1", "-p", port, "--forceflush")));
    try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8)) {
      awaitListening(said);
      List<String> client =
          new ArrayList<>(
              List.of(
                  "iperf3",
                  "-c",
                  link.transactor().address(),
                  "-p",
                  port,
                  "-J",
                  "-n",
                  String.valueOf(Math.max(bytes, leastBytes()))));
      if (link.isLoopback()) {
        client.addAll(OVER_LOOPBACK);
      }
      return receivedNs(start(link.worker(1).command(client)), bytes);
    } finally {
      server.destroy();
    }
  }

  /** Returns the least bytes of a measurement; over a slow link, the bytes of a second. */
  private long leastBytes() {
    Long bytesPerSecond = link.bytesPerSecondOfWorker();
    return bytesPerSecond == null ? MIN_BYTES : Math.min(MIN_BYTES, bytesPerSecond);
  }

  /** Starts a process that is killed at the deadline, so that reading from it ends. */
  private Process start(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    CompletableFuture.delayedExecutor(deadline.toMillis(), TimeUnit.MILLISECONDS)
        .execute(process::destroyForcibly);
    return process;
  }

  /** Returns a port that is free on this host, which may not be the server's host. */
  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitListening(BufferedReader server) throws IOException {
    @Nullable String line = server.readLine();
    while (line != null && !line.startsWith("Server listening")) {
      line = server.readLine();
    }
    if (line == null) {
      throw new IOException(format("iperf3 did not listen within %,d s", deadline.toSeconds()));
    }
  }

  private long receivedNs(Process client, long bytes) throws IOException, InterruptedException {
    try {
      String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (client.waitFor() == KILLED) {
        throw new IOException(format("iperf3 did not end within %,d s", deadline.toSeconds()));
      }
      JsonNode json = JSON.readTree(said);
      JsonNode received = json.at("/end/sum_received");
      double bytesPerSecond = received.path("bits_per_second").asDouble() / Byte.SIZE;
      if (bytesPerSecond <= 0) {
        throw new IOException("iperf3: " + json.path("error").asText("no result"));
      }
      return Math.round(bytes / bytesPerSecond * 1e9);
    } finally {
      client.destroy();
    }
  }
}
