package io.drayage.bench.link;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in network namespaces, made by {@code local-cluster.sh}. This class only calls the
 * script. The cluster belongs to this process; when the process is gone, any later {@code up}
 * removes it. Not thread-safe.
 */
record LocalCluster(String script, String name) {
  private static final String SCRIPT = "local-cluster.sh";

  /** The beginning of the script's messages. */
  private static final String PREFIX = SCRIPT + ": ";

  /** Returns a cluster of this process that is not made yet. */
  static LocalCluster ofThisProcess() throws IOException {
    try (InputStream in = LocalCluster.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new LinkException(SCRIPT + " is missing on the class path: build the project again");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new LocalCluster(text, "run" + ProcessHandle.current().pid());
    }
  }

  /**
   * Makes the cluster.
   *
   * @param transactorBitsPerSecond null for the rate of the workers
   * @throws LinkException if it cannot be made
   */
  void up(long bitsPerSecond, @Nullable Long transactorBitsPerSecond, int workers)
      throws IOException, InterruptedException {
    List<String> options =
        new ArrayList<>(
            List.of(
                "up",
                "--name=" + name,
                "--link=" + bitsPerSecond + "bit",
                "--workers=" + workers,
                "--owner=" + ProcessHandle.current().pid()));
    if (transactorBitsPerSecond != null) {
      options.add("--transactor-link=" + transactorBitsPerSecond + "bit");
    }
    call(options);
  }

  /** Returns the output of {@code status}: the last value of every key. */
  Map<String, String> facts() throws IOException, InterruptedException {
    Map<String, String> facts = new HashMap<>();
    for (String line : call(List.of("status", "--name=" + name)).lines().toList()) {
      int equals = line.indexOf('=');
      if (equals < 0) {
        continue;
      }
      String key = line.substring(0, equals);
      String value = line.substring(equals + 1);
      if (key.equals("host")) {
        String[] words = value.split(" ", -1);
        facts.put(words[0], words[1]);
      } else {
        facts.put(key, value);
      }
    }
    return facts;
  }

  /** Returns queues, devices, routes and connections of all hosts, as the kernel reports them. */
  String details() throws IOException, InterruptedException {
    return call(List.of("status", "--name=" + name, "--details"));
  }

  /** Returns the words before a command line that make it run on this host. */
  List<String> prefix(String host) {
    return command(List.of("exec", "--name=" + name, host));
  }

  /** Ends the processes on the hosts and removes the cluster, if it exists. */
  void down() throws IOException, InterruptedException {
    call(List.of("down", "--name=" + name));
  }

  private List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("bash", "-c", script, SCRIPT));
    command.addAll(arguments);
    return List.copyOf(command);
  }

  private String call(List<String> arguments) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command(arguments)).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new LinkException("links need the command bash: " + e.getMessage());
    }
    process.getOutputStream().close();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new LinkException(said.startsWith(PREFIX) ? said.substring(PREFIX.length()) : said);
    }
    return said;
  }
}
