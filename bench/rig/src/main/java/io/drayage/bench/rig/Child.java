package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.child.ControlMessages;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Request;
import io.drayage.bench.child.ControlMessages.Response;
import io.drayage.internal.Waits;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One child JVM, on the rig's side. Its standard error goes to its own log. Not thread-safe. */
public final class Child implements AutoCloseable {
  private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(3);
  private static final int SIGKILL_EXIT = 137;

  /**
   * Timeouts for the commands of a child. They are long, because they are there to end a hang, and
   * the slowest compressor on a busy machine has 2 MB/s.
   *
   * @param prepare to start and to make the cargo
   * @param command for anything except that and an iteration
   * @param run for an iteration
   */
  record Deadlines(Duration prepare, Duration command, Duration run) {
    private static final long MB = 1_000_000;

    static Deadlines of(long cargoBytes) {
      long megabytes = cargoBytes / MB;
      return new Deadlines(
          Duration.ofSeconds(120).plusMillis(500 * megabytes),
          Duration.ofSeconds(60).plusMillis(60 * megabytes),
          Duration.ofSeconds(60).plusMillis(500 * megabytes));
    }
  }

  /** A line of the child, or the end of its output. */
  private record Line(@Nullable String text) {}

  private final String name;
  private final Process process;
  private final Path log;
  private final BufferedWriter requests;
  private final BlockingQueue<Line> answers = new LinkedBlockingQueue<>();

  private Child(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.requests = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * Starts a child.
   *
   * @param name of the child in messages
   * @param command the whole command line
   * @param log the file for its standard error
   */
  public static Child start(String name, List<String> command, Path log) throws IOException {
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    Child child = new Child(name, process, log);
    Thread reader = new Thread(child::readAnswers, "answers of " + name);
    reader.setDaemon(true);
    reader.start();
    return child;
  }

  /**
   * Returns the command line of a child, with this JVM, class path and archive of classes.
   *
   * @param main the class to run
   * @param jvmOptions of the child's JVM; it inherits none
   */
  public static List<String> command(Class<?> main, List<String> jvmOptions) {
    List<String> options = new ArrayList<>(ClassArchive.ofThisJvm());
    options.addAll(jvmOptions);
    return command(main.getName(), System.getProperty("java.class.path"), options);
  }

  /** Returns the command line of a child with another class path. */
  static List<String> command(String main, String classPath, List<String> jvmOptions) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(classPath);
    command.add(main);
    return List.copyOf(command);
  }

  private void readAnswers() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("{")) {
          answers.add(new Line(line));
        } // Otherwise a native library printed it, such as a warning of async-profiler.
      }
    } catch (IOException e) {
      // Treated as the end: the child was destroyed while the rig read.
    }
    answers.add(new Line(null));
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Sends a command to the child; {@link #await} gets the answer. */
  public void send(Command command, @Nullable Object arguments) throws ChildException {
    try {
      JsonNode json = arguments == null ? null : ControlMessages.JSON.valueToTree(arguments);
      requests.write(ControlMessages.JSON.writeValueAsString(new Request(command, json)));
      requests.newLine();
      requests.flush();
    } catch (IOException e) {
      throw ChildException.lost(howItEnded());
    }
  }

  /**
   * Waits for the answer to the oldest command.
   *
   * @throws ChildException if the command failed, the child is dead, or the deadline is over. The
   *     child is killed at the deadline
   */
  public <T> T await(Class<T> type, Duration deadline) throws ChildException, InterruptedException {
    Line line = answers.poll(deadline.toMillis(), TimeUnit.MILLISECONDS);
    if (line == null) {
      process.destroyForcibly();
      throw ChildException.lost(
          format("%s gave no answer within %,d s (log: %s)", name, deadline.toSeconds(), log));
    }
    if (line.text == null) {
      answers.add(line); // for the next caller
      throw ChildException.lost(howItEnded());
    }
    try {
      Response response = ControlMessages.JSON.readValue(line.text, Response.class);
      if (response.error() != null) {
        throw ChildException.refused("%s: %s".formatted(name, oneLine(response.error())));
      }
      return ControlMessages.JSON.treeToValue(response.result(), type);
    } catch (JsonProcessingException e) {
      process.destroyForcibly();
      throw ChildException.lost("%s gave no valid answer: %s".formatted(name, line.text));
    }
  }

  /** Calls {@link #send} and {@link #await}. */
  public <T> T call(Command command, @Nullable Object arguments, Class<T> type, Duration deadline)
      throws ChildException, InterruptedException {
    send(command, arguments);
    return await(type, deadline);
  }

  /** Kills the child, without waiting for its end. */
  void kill() {
    process.destroyForcibly();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Describes the unexpected end of a child. */
  String howItEnded() {
    try {
      if (!process.waitFor(EXIT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        return "%s closed its control channel (log: %s)".formatted(name, log);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return name + " ended";
    }
    int code = process.exitValue();
    return format(
        "%s ended with exit code %d%s%s (log: %s)",
        name, code, code == SIGKILL_EXIT ? ", killed" : "", lastWords(), log);
  }

  private String lastWords() {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
      return lines.isEmpty() ? "" : ": " + lines.get(lines.size() - 1).strip();
    } catch (IOException e) {
      return "";
    }
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", "; ");
  }

  /** Kills the child, which has nothing to save. */
  @Override
  public void close() {
    process.destroyForcibly();
    Waits.orInterrupted(() -> process.waitFor(EXIT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
  }
}
