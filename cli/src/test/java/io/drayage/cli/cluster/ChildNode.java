package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.rig.Child;
import io.drayage.cli.Drayage;
import io.drayage.crash.DiesAt;
import io.drayage.objectstore.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node in a separate process, whose output goes to a file. */
final class ChildNode implements AutoCloseable {
  private static final long DEADLINE_S = 120;

  private final String name;
  private final Path log;
  private final Process process;

  private ChildNode(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts a node.
   *
   * @param crashAt its crash point for {@link DiesAt}; null for none
   */
  static ChildNode start(
      String name, Path folder, Class<?> main, @Nullable String crashAt, List<String> arguments)
      throws IOException {
    List<String> jvm =
        new ArrayList<>(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    if (crashAt != null) {
      jvm.add(DiesAt.option(crashAt, folder));
    }
    // A shell starts background commands without SIGINT.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(Child.command(main, jvm));
    command.addAll(arguments);
    Path log = folder.resolve(name + ".log");
    return start(name, log, command);
  }

  /** Starts any command, in the environment of S3 clients. */
  static ChildNode start(String name, Path log, List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("AWS_ACCESS_KEY_ID", S3Server.ACCESS_KEY);
    builder.environment().put("AWS_SECRET_ACCESS_KEY", S3Server.SECRET_KEY);
    return new ChildNode(name, log, builder.start());
  }

  /** Starts a command of Drayage: the words of a line, in which {@code ~} is the folder. */
  static ChildNode drayage(String name, Path folder, String line) throws IOException {
    String[] words = line.replace("~", folder.toString()).split(" ", -1);
    return start(name, folder, Drayage.class, null, List.of(words));
  }

  /** Starts a transactor, without a warm-up by default, and waits until it is primary. */
  static ChildNode primary(Path folder, String... more) throws Exception {
    String options = String.join(" ", more);
    ChildNode transactor =
        drayage(
            "t1",
            folder,
            ("transactor " + options).strip()
                + " --name=t1 --listen=127.0.0.1:0 --data=~ --size=1MB --zookeeper-port=0"
                + (options.contains("--warm-up") ? "" : " --warm-up=0"));
    transactor.awaitLine("is primary from");
    transactor.awaitLine("listens at");
    return transactor;
  }

  /** Returns the address of the ZooKeeper within a transactor. */
  String zookeeper() throws IOException {
    return output().replaceFirst("(?s).*?zookeeper (\\S+).*", "$1");
  }

  /** Waits until a line of its output contains {@code text}. */
  void awaitLine(String text) throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
    while (!Files.readString(log).contains(text)) {
      assertThat(process.isAlive()).as("%s lives: %s", name, Files.readString(log)).isTrue();
      assertThat(System.nanoTime() - deadlineNs)
          .as("%s: no '%s' in %s", name, text, Files.readString(log))
          .isNegative();
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  /** Waits until it has ended at its crash point. */
  void awaitCrash() throws IOException, InterruptedException {
    assertThat(awaitEnd()).as("%s: %s", name, output()).isEqualTo(DiesAt.EXIT_CODE);
  }

  /** Waits until it has ended by itself, and returns its exit code. */
  int awaitEnd() throws IOException, InterruptedException {
    boolean ended = process.waitFor(DEADLINE_S, TimeUnit.SECONDS);
    assertThat(ended).as("%s ends: %s", name, Files.readString(log)).isTrue();
    return process.exitValue();
  }

  /** Kills it like {@code kill -9}. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Sends a signal, such as {@code STOP}. */
  void signal(String signal) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start();
    assertThat(kill.waitFor()).as("kill -%s of %s", signal, name).isZero();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it like {@code kill}. Returns its exit code. */
  int terminate() throws IOException, InterruptedException {
    process.destroy();
    return awaitEnd();
  }

  String output() throws IOException {
    return Files.readString(log);
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
